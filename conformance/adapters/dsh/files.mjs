// The methods of track "files", in the format that the runtime writes.  The runtime reads and writes files only where
// it keeps sessions, so each call gives an instance of its own a directory of its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { constants, zstdDecompressSync } from 'node:zlib'
import * as sessions from '@deepseek-ai/dsh-session'
import { BadRequest } from './bad-request.mjs'
import { kindOf, Refusal } from './refusals.mjs'
import { defined } from './store.mjs'

const LF = 0x0a
const FRAME_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Do some work with an instance that keeps its sessions in a fresh directory. */
export async function apart(subject, { format, compression }, work) {
  const own = sessions.SESSION_FORMAT_VERSION
  if (format !== own) throw new BadRequest(`this runtime keeps files of format ${own}, not of ${format}`)
  const root = mkdtempSync(join(tmpdir(), 'session-conformance-'))
  try {
    return await subject.apart({ root, compression }, (service) => work(service, root))
  } finally {
    rmSync(root, { recursive: true })
  }
}

export function filesMethods(subject) {
  return {
    'files/read'({ base64, ...kind }) {
      const bytes = Buffer.from(base64, 'base64')
      return apart(subject, kind, (service, root) => read(service, root, bytes, kind))
    },

    'files/write'({ header, inheritedEventCount, batches, ...kind }) {
      return apart(subject, kind, async (service) => {
        const handle = await created(service, header, { inheritedEventCount })
        for (const events of batches) await handle.append(events)
        await handle.flush()
        await handle.close()
        return { base64: readFileSync(service.locate(handle.header).path, 'base64') }
      })
    },

    'files/path'({ header, ...kind }) {
      return apart(subject, kind, (service, root) => ({ path: relative(root, service.locate(header).path) }))
    },
  }
}

/** A header that is refused is a wrong argument, whatever the same error means of an event. */
async function created(service, header, options) {
  try {
    return await service.create(header, options)
  } catch (error) {
    throw new Refusal(kindOf('store/create', error), error.message)
  }
}

/** Put a file where its header says that it lies; returns the id that it is found by. */
export function placed(service, root, bytes, { format, compression }) {
  const header = headerOf(bytes, compression) ?? {}
  const path = pathFor(service, header) ?? join(root, '_no-cwd', 'nameless', nameOf(format, compression))
  const id = pathFor(service, header) === undefined ? 'nameless' : header.id
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  return id
}

async function read(service, root, bytes, { format, compression }) {
  const id = placed(service, root, bytes, { format, compression })
  const handle = await service.open(id, 'read')
  const result = await handle.read()
  const events = result.events ?? result
  await handle.close()
  const committedBytes = await committed(service, id, service.locate(handle.header).path, bytes, events.length, compression)
  return {
    header: defined(handle.header),
    inheritedEventCount: handle.inheritedEventCount,
    events,
    committedBytes,
    torn: committedBytes < bytes.length,
  }
}

/** The header in the first line, as far as there is one: the file has to lie where its header says. */
function headerOf(bytes, compression) {
  try {
    // To flush instead of to finish gives what there is of a file that was cut off.
    const options = { finishFlush: constants.ZSTD_e_flush }
    const text = compression === 'zstd' ? zstdDecompressSync(bytes, options) : bytes
    return JSON.parse(text.toString('utf8').split('\n', 1)[0])
  } catch {
    return undefined
  }
}

function pathFor(service, header) {
  try {
    return typeof header.id === 'string' ? service.locate(header).path : undefined
  } catch {
    return undefined
  }
}

function nameOf(format, compression) {
  return `session.v${format}.jsonl${compression === 'zstd' ? '.zstd' : ''}`
}

/**
 * How much of a file the runtime keeps when it writes on, in bytes.  It does not say so; but it cuts the rest off
 * before it appends, so what it kept is the last whole piece up to where the file begins to differ.
 */
async function committed(service, id, path, before, seq, compression) {
  const handle = await service.open(id, 'write')
  await handle.append([{ type: 'conformance/probe', seq, time: 0, data: null, ignorable: true }])
  await handle.close()
  const after = readFileSync(path)
  const isEnd = compression === 'zstd' ? endsFrame : endsLine
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  while (!isEnd(after, at)) at -= 1
  return at
}

function endsLine(bytes, at) {
  return bytes[at - 1] === LF
}

/** Whether a frame begins here: what merely looks like a frame's beginning does not decompress to the end. */
function endsFrame(bytes, at) {
  const rest = bytes.subarray(at)
  if (!rest.subarray(0, FRAME_MAGIC.length).equals(FRAME_MAGIC)) return false
  try {
    zstdDecompressSync(rest)
    return true
  } catch {
    return false
  }
}
