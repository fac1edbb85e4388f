// Whether a stored log is accepted: its file is put where the runtime keeps such files and read, and a session is built
// of what was read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as sessions from '@deepseek-ai/dsh-session'
import { Refusal } from './refusals.mjs'
import { encode } from './wire.mjs'

export async function admit(subject, { isSeeded, ...header }, events) {
  const root = mkdtempSync(join(tmpdir(), 'session-conformance-'))
  // A header of this format counts what was inherited; the marker behind that is the last one.
  const cut = events.findLastIndex((event) => event?.type === 'session/end-seed')
  const first = { type: 'session', delegationDepth: 0, ...header, ...(isSeeded ? { seedLength: Math.max(cut, 0) } : {}) }
  try {
    await subject.apart({ root, compression: 'none' }, async (service) => {
      const { path } = service.locate(header)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, [first, ...events].map((row) => `${encode(row)}\n`).join(''))
      const found = await service.readFrom(header.id, 0)
      if (found.events.length < events.length) throw new Refusal('corrupt', 'the last row is left out, as if it were torn')
      sessions.Session.fromRestore(header.id, found.events, found.meta)
    })
  } finally {
    rmSync(root, { recursive: true })
  }
}
