// The plugin that puts a session persistence service of the real dsh runtime of format 0 behind the adapter protocol.
// One environment variable, DSH_CONFORMANCE_SUBJECT, says what is under test (see README.md).
import process from 'node:process'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { answer } from './rpc.mjs'
import { coreMethods } from './core.mjs'
import { claimStdout, lines } from './lines.mjs'
import { storeMethods } from './store.mjs'
import { Subject } from './subject.mjs'

export async function serve(ctx) {
  const writeLine = claimStdout()
  await ctx.plugin(SessionStore) // the service under test asks for it
  const subject = new Subject(ctx, JSON.parse(process.env.DSH_CONFORMANCE_SUBJECT ?? '{}'))
  const methods = { ...storeMethods(subject), ...coreMethods(subject) }

  async function answerAll() {
    for await (const line of lines(process.stdin)) writeLine(await answer(methods, line))
    await subject.unmount()
  }

  // Not awaited: the runtime finishes its own start only once every plugin has been applied.
  answerAll().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`session-conformance: ${error?.stack ?? error}\n`)
      process.exit(1)
    },
  )
}
