// How sessions are built of a log, and what they say of themselves.
import { Session } from '@deepseek-ai/dsh-session'
import { defined } from './store.mjs'

/** A session that begins with a log which somebody else goes on to own, or with none. */
export function created(header, events, inheritedEventCount, known) {
  return Session.create(header.id, events, header, inheritedEventCount, known)
}

/** A session that goes on with a log of its own. */
export function restored(header, events, inheritedEventCount, known) {
  return Session.fromRestore(header.id, events, header, inheritedEventCount, 'detached', known)
}

export function eventsOf(session) {
  return session.snapshotEvents()
}

/** A fork as the protocol tells it. */
export function childOf(session) {
  const { header, inheritedEventCount } = session
  return { header: defined(header), inheritedEventCount, events: eventsOf(session) }
}
