// The runtime verifies a migrated log in a worker thread that it names by a file: URL.  The executable that it is
// packed in finds its own files by path alone, so there the write-open of an older log would always fail.  This hands
// the worker the path instead; nothing of the service under test changes.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

if (process.pkg !== undefined) {
  const threads = createRequire(import.meta.url)('node:worker_threads')
  threads.Worker = new Proxy(threads.Worker, {
    construct: (Worker, [entry, ...rest], target) =>
      Reflect.construct(Worker, [entry instanceof URL ? fileURLToPath(entry) : entry, ...rest], target),
  })
  syncBuiltinESMExports()
}
