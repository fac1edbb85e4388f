// The plugin that puts a session persistence service of a real dsh runtime behind the adapter protocol.
// One environment variable, DSH_CONFORMANCE_SUBJECT, says what is under test (see README.md).
import process from 'node:process'
import { answer } from './rpc.mjs'
import { coreMethods } from './core.mjs'
import { filesMethods } from './files.mjs'
import { claimStdout, lines } from './lines.mjs'
import { migrationMethods } from './migration.mjs'
import { storeMethods } from './store.mjs'
import { Subject } from './subject.mjs'
import './worker-shim.mjs'

export const name = 'session-conformance'

export function apply(ctx) {
  const writeLine = claimStdout()
  const subject = new Subject(ctx, JSON.parse(process.env.DSH_CONFORMANCE_SUBJECT ?? '{}'))
  const methods = { ...storeMethods(subject), ...coreMethods(subject), ...migrationMethods(), ...filesMethods(subject) }

  async function serve() {
    for await (const line of lines(process.stdin)) writeLine(await answer(methods, line))
    await subject.unmount()
  }

  // Not awaited: the runtime finishes its own start only once every plugin has been applied.
  serve().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`session-conformance: ${error?.stack ?? error}\n`)
      process.exit(1)
    },
  )
}
