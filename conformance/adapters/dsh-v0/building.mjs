// How sessions are built of a log, and what they say of themselves.  A header of this era has the number of inherited
// events in it, where the protocol says apart whether there are any and how many.
import { Session } from '@deepseek-ai/dsh-session'
import { defined } from './store.mjs'

/** A session that begins with a log which somebody else goes on to own, or with none. */
export function created(header, events, inheritedEventCount) {
  return Session.create(header.id, events, counted(header, inheritedEventCount))
}

/** A session that goes on with a log of its own. */
export function restored(header, events, inheritedEventCount) {
  return Session.fromRestore(header.id, events, counted(header, inheritedEventCount))
}

export function eventsOf(session) {
  return session.events
}

/** A fork as the protocol tells it. */
export function childOf(session) {
  const { seedLength, ...header } = session.header
  const isSeeded = seedLength !== undefined
  return { header: defined({ ...header, isSeeded }), inheritedEventCount: seedLength ?? 0, events: eventsOf(session) }
}

function counted({ isSeeded, ...header }, inheritedEventCount) {
  return isSeeded ? { ...header, seedLength: inheritedEventCount } : header
}
