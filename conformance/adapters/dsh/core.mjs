// The methods of track "core", in the format that the runtime writes, over the public parts of its session package:
// the fold, the closers, sessions that are created and restored, and the store that forks them.
import * as sessions from '@deepseek-ai/dsh-session'
import { BadRequest } from './bad-request.mjs'

const MARKER = 'session/end-seed'
/** The fields that an append takes beside type and data. */
const METADATA = ['surfaceOp', 'sourceEventSeqs']

export function coreMethods(ctx) {
  const forks = new Forks(ctx)
  return {
    async 'core/fold'({ format, events, baseSeq = 0 }) {
      demand(format)
      // The runtime folds windows, but what folds them is none of its public parts.
      if (baseSeq !== 0) throw new Error('the public fold of this runtime takes whole logs')
      const { nodes, replacements } = sessions.foldSurface(events, await projections())
      const { surface } = await restored(format, events)
      const { replaceGeneration, contentGeneration } = surface
      return { nodes, replacements, ...defined({ replaceGeneration, contentGeneration }) }
    },

    async 'core/derive'({ format, events }) {
      demand(format)
      return { messages: (await restored(format, events)).deriveMessages() }
    },

    'core/closers'({ format, events, cause }) {
      demand(format)
      if (cause === 'interrupted') return { events: sessions.interruptedTurnClosers(events) }
      if (sessions.buildForkSeed === undefined) throw new BadRequest(`this runtime closes nothing that was ${cause}`)
      return { events: forkedClosers(events) }
    },

    async 'core/fork'({ format, header, events, boundary, child }) {
      demand(format)
      return forks.fork(header, events, boundary, child, await projections())
    },

    async 'core/append'({ format, events, time, type, data, ...rest }) {
      demand(format)
      const session = await grown(format, events)
      const metadata = Object.fromEntries(METADATA.filter((key) => key in rest).map((key) => [key, rest[key]]))
      return { event: at(time, () => session.append(type, data, metadata)) }
    },

    async 'core/seed'({ format, header, events, inheritedEventCount, mode }) {
      demand(format)
      const known = await projections()
      const session =
        mode === 'restore'
          ? sessions.Session.fromRestore(header.id, events, header, inheritedEventCount, 'detached', known)
          : sessions.Session.create(header.id, events, header, inheritedEventCount, known)
      return { events: session.snapshotEvents() }
    },

    async 'core/requestHeader'({ format, events }) {
      demand(format)
      return { value: (await restored(format, events)).requestHeader() ?? null }
    },

    async 'core/requestContext'({ format, events }) {
      demand(format)
      return { value: (await restored(format, events)).requestContext() ?? null }
    },

    async 'core/toolHistory'({ format, events }) {
      demand(format)
      return { value: (await restored(format, events)).toolHistory?.() ?? null }
    },

    async 'core/json'({ format, value }) {
      demand(format)
      return { value: (await grown(format, [])).append('conformance/json', value).data }
    },

    async 'core/admit'({ format, header, events }) {
      demand(format)
      const catalogs = await import('@deepseek-ai/dsh-session-format-catalog')
      const create = catalogs.createSessionFormatCatalogWithChildren
      const catalog = create === undefined ? catalogs.sessionFormatCatalog : create([])
      const stored = { type: 'session', delegationDepth: 0, ...header }
      const restore = catalog.createRestore(stored, { recovery: 'strict', validation: 'current' })
      for (const event of events) restore.decodeRow(event)
      restore.finish()
      return {}
    },
  }
}

/** The members of an object that have a value. */
function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function demand(format) {
  const own = sessions.SESSION_FORMAT_VERSION
  if (format !== own) throw new BadRequest(`this runtime has the rules of format ${own}, not of ${format}`)
}

/** A session that was restored from a log; behind the log it has a marker, which shows nothing. */
async function restored(format, events) {
  const cut = events.findLastIndex((event) => event?.type === MARKER && event.data?.inherited === true)
  const header = { version: format, id: 'restored', createdAt: 0, isSeeded: cut >= 0 }
  const known = await projections()
  return sessions.Session.fromRestore(header.id, events, header, Math.max(cut, 0), 'detached', known)
}

/** A session to which a log was appended, event by event: it has no marker, so the next seq is the log's length. */
async function grown(format, events) {
  const header = { version: format, id: 'grown', createdAt: 0, isSeeded: false }
  const session = sessions.Session.create(header.id, undefined, header, undefined, await projections())
  for (const { time, type, data, ignorable, ...metadata } of events) {
    // An append cannot mark an event as ignorable; what it may then carry beside its data is not looked at.
    at(time, () => session.append(type, data, ignorable ? {} : metadata))
  }
  return session
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

/** Forks through a session store, under ids of its own that the answer does not show. */
class Forks {
  #ctx
  #store
  #count = 0

  constructor(ctx) {
    this.#ctx = ctx
  }

  fork(header, events, boundary, child, known) {
    this.#store ??= storeWith(this.#ctx, known)
    const id = `${header.id}\u0000${++this.#count}`
    const name = `${child.id}\u0000${this.#count}`
    const source = this.#source({ ...header, id }, events, known)
    const leave = this.#store.enter(source)
    try {
      const made = at(child.createdAt, () => this.#store.fork(id, this.#boundary(boundary, events), name))
      const { inheritedEventCount } = made
      if (made.id !== name || made.header.parentSession !== id) throw new Error('the fork is not of its source')
      const told = { ...made.header, id: child.id, parentSession: header.id }
      return { header: defined(told), inheritedEventCount, events: made.snapshotEvents() }
    } finally {
      leave()
    }
  }

  #source(header, events, known) {
    if (events.length === 0) {
      return sessions.Session.create(header.id, undefined, { ...header, isSeeded: false }, undefined, known)
    }
    const cut = events.findLastIndex((event) => event.type === MARKER && event.data?.inherited === true)
    const own = { ...header, isSeeded: cut >= 0 }
    return sessions.Session.fromRestore(header.id, events, own, Math.max(cut, 0), 'detached', known)
  }

  /** The source has a marker behind its events: no boundary is the last of these, and one behind them is none. */
  #boundary(boundary, events) {
    if (boundary === undefined) return events.at(-1)?.seq
    return Number.isSafeInteger(boundary) && boundary >= events.length ? boundary + 1 : boundary
  }
}

function storeWith(ctx, known) {
  const store = new sessions.SessionStore(ctx)
  for (const projection of known) store.registerMessageProjection(projection)
  return store
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
