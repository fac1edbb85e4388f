// Whether a stored log is accepted: its file is put where the runtime keeps such files and read, and a session is built
// of what was read.
import * as sessions from '@deepseek-ai/dsh-session'
import { apart, placed } from './files.mjs'
import { Refusal } from './refusals.mjs'
import { encode } from './wire.mjs'

export function admit(subject, header, events, known) {
  const kind = { format: sessions.SESSION_FORMAT_VERSION, compression: 'none' }
  const rows = [{ type: 'session', delegationDepth: 0, ...header }, ...events]
  const bytes = Buffer.from(rows.map((row) => `${encode(row)}\n`).join(''))
  return apart(subject, kind, async (service, root) => {
    const handle = await service.open(placed(service, root, bytes, kind), 'read')
    const read = await handle.read()
    await handle.close()
    const found = read.events ?? read
    if (found.length < events.length) throw new Refusal('corrupt', 'the last row is left out, as if it were torn')
    sessions.Session.fromRestore(handle.header.id, found, handle.header, handle.inheritedEventCount, 'detached', known)
  })
}
