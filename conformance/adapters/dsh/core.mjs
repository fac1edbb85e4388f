// The methods of track "core", in the format that the runtime writes, over the public parts of its session package:
// the fold, the closers, sessions that are created and restored, and the store that forks them.
import { Context } from '@deepseek-ai/cordis'
import * as sessions from '@deepseek-ai/dsh-session'
import { SurfaceManager } from '@deepseek-ai/dsh-session/surface'
import { admit } from './admit.mjs'
import { BadRequest } from './bad-request.mjs'
import { childOf, created, eventsOf, restored } from './building.mjs'
import { defined } from './store.mjs'

const MARKER = 'session/end-seed'
/** The fields that an append takes beside type and data. */
const METADATA = ['surfaceOp', 'sourceEventSeqs']

export function coreMethods(subject) {
  return {
    async 'core/fold'({ format, events, baseSeq = 0 }) {
      demand(format)
      return folded(events, baseSeq, await projections())
    },

    async 'core/derive'({ format, events }) {
      demand(format)
      return { messages: (await whole(format, events)).deriveMessages() }
    },

    'core/closers'({ format, events, cause }) {
      demand(format)
      if (cause === 'interrupted') return { events: sessions.interruptedTurnClosers(events) }
      if (sessions.buildForkSeed === undefined) throw new BadRequest(`this runtime closes nothing that was ${cause}`)
      return { events: forkedClosers(events) }
    },

    async 'core/fork'({ format, header, events, boundary, child }) {
      demand(format)
      return fork({ header, events, boundary, child }, await projections())
    },

    async 'core/append'({ format, events, time, type, data, ...rest }) {
      demand(format)
      const session = await grown(format, events)
      const metadata = Object.fromEntries(METADATA.filter((key) => key in rest).map((key) => [key, rest[key]]))
      return { event: at(time, () => session.append(type, data, metadata)) }
    },

    async 'core/seed'({ format, header, events, inheritedEventCount, mode }) {
      demand(format)
      const build = mode === 'restore' ? restored : created
      return { events: eventsOf(build(header, events, inheritedEventCount, await projections())) }
    },

    async 'core/requestHeader'({ format, events }) {
      demand(format)
      return { value: (await whole(format, events)).requestHeader() ?? null }
    },

    async 'core/requestContext'({ format, events }) {
      demand(format)
      return { value: (await whole(format, events)).requestContext() ?? null }
    },

    async 'core/toolHistory'({ format, events }) {
      demand(format)
      return { value: (await whole(format, events)).toolHistory?.() ?? null }
    },

    async 'core/json'({ format, value }) {
      demand(format)
      return { value: (await grown(format, [])).append('conformance/json', value).data }
    },

    async 'core/admit'({ format, header, events }) {
      demand(format)
      await admit(subject, header, events, await projections())
      return {}
    },
  }
}

function demand(format) {
  const own = sessions.SESSION_FORMAT_VERSION
  if (format !== own) throw new BadRequest(`this runtime has the rules of format ${own}, not of ${format}`)
}

/** The surface of a log or of a window of one. */
function folded(events, baseSeq, known) {
  const { nodes, replaceGeneration, contentGeneration } = new SurfaceManager(events, baseSeq, known)
  const replacements = baseSeq === 0 ? sessions.foldSurface(events, known).replacements : seen(events, baseSeq, known)
  return { nodes, replacements, ...defined({ replaceGeneration, contentGeneration }) }
}

/** The replacements in a window, which nothing tells but the nodes that go when an event comes. */
function seen(events, baseSeq, known) {
  const log = []
  const surface = new SurfaceManager(log, baseSeq, known)
  return events.flatMap((event) => {
    const before = [...surface.nodes]
    log.push(event)
    const now = new Set(surface.nodes)
    const shadowedSeqs = before.filter((seq) => !now.has(seq))
    if (shadowedSeqs.length === 0) return []
    const { start, end, startSeq = start, endSeq = end } = event.surfaceOp
    return [{ seq: event.seq, start: startSeq, end: endSeq, shadowedSeqs }]
  })
}

/** A session that was restored from a log; behind the log it has a marker, which shows nothing. */
async function whole(format, events) {
  const header = { version: format, id: 'restored', createdAt: 0, isSeeded: cutOf(events) !== undefined }
  return restored(header, events, cutOf(events) ?? 0, await projections())
}

/** How many events a log says that it has inherited. */
function cutOf(events) {
  const cut = events.findLastIndex((event) => event?.type === MARKER && event.data?.inherited === true)
  return cut < 0 ? undefined : cut
}

/** A session to which a log was appended, event by event: it has no marker, so the next seq is the log's length. */
async function grown(format, events) {
  const header = { version: format, id: 'grown', createdAt: 0, isSeeded: false }
  const session = created(header, undefined, undefined, await projections())
  for (const { time, type, data, ignorable, ...metadata } of events) {
    at(time, () => session.append(type, data, ignorable && isOpaque(type) ? {} : metadata))
  }
  return session
}

/** Whether nobody looks at what an ignorable event of this type has beside its data; an append cannot mark it as one. */
function isOpaque(type) {
  return sessions.SESSION_FORMAT_VERSION >= 3 && !sessions.KNOWN_SESSION_EVENT_TYPES.has(type)
}

/** Does something at a time. */
function at(time, action) {
  const { now } = Date
  Date.now = () => time
  try {
    return action()
  } finally {
    Date.now = now
  }
}

/** What closes the seed of a fork, whose marker stands behind the last event; here there is none. */
function forkedClosers(events) {
  const last = events.at(-1)
  if (last === undefined) return []
  const seed = sessions.buildForkSeed(events, last.seq)
  const moved = (seq) => (seq > last.seq ? seq - 1 : seq)
  return seed.slice(events.length + 1).map((event) => {
    const closer = { ...event, seq: moved(event.seq) }
    if (event.type !== 'tool/result') return closer
    const id = event.data.message.id.replace(/-\d+$/, `-${closer.seq}`)
    return { ...closer, data: { ...event.data, message: { ...event.data.message, id } } }
  })
}

/**
 * Fork through a session store in a world of its own, which lives as long as the fork: in the adapter's the child would
 * stay, and the service under test would store it.
 */
async function fork({ header, events, boundary, child }, known) {
  let answer
  const fiber = new Context().plugin({
    name: 'fork',
    apply(scope) {
      const store = new sessions.SessionStore(scope)
      for (const projection of known) store.registerMessageProjection(projection)
      const source = sourceOf(header, events, known)
      store.enter(source)
      const made = at(child.createdAt, () => store.fork(header.id, boundaryOf(boundary, events, source), child.id))
      answer = childOf(made)
    },
  })
  await fiber
  await fiber.dispose()
  return answer
}

function sourceOf(header, events, known) {
  const cut = cutOf(events)
  const own = { ...header, isSeeded: cut !== undefined }
  return events.length === 0 ? created(own, undefined, undefined, known) : restored(own, events, cut ?? 0, known)
}

/** A source may have a marker behind its events: no boundary is the last of these, and one behind them is none. */
function boundaryOf(boundary, events, source) {
  if (boundary === undefined) return events.at(-1)?.seq
  const more = source.seq - events.length
  return Number.isSafeInteger(boundary) && boundary >= events.length ? boundary + more : boundary
}

/** How plugins' events change messages; older runtimes have no such thing. */
async function projections() {
  try {
    const found = await import('@deepseek-ai/dsh-session-format-catalog/message-projections')
    return found.currentSessionMessageProjections
  } catch (error) {
    if (['ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_MODULE_NOT_FOUND'].includes(error.code)) return []
    throw error
  }
}
