// The types of format v4: chapter "events".
import { readFileSync } from 'node:fs'

const KNOWN = new Set(readFileSync(new URL('event-types.txt', import.meta.url), 'utf8').split(/\s+/))
const SURFACE = new Set(['user/message', 'assistant/message', 'tool/result', 'system/message', 'developer/message'])

export const isSurface = (event) => SURFACE.has(event.type)

/** Whether nobody here knows the type, and its writer said that nobody need: IGN-UNKNOWN-V4. */
export const isOpaque = (event) => !KNOWN.has(event.type) && event.ignorable === true

/** The message of an event of a surface type; the data of a user's message is the message. */
export const messageOf = (event) => (event.type === 'user/message' ? event.data : event.data?.message)

/** The blocks of such a message. */
export function blocksOf(event) {
  const content = messageOf(event)?.content
  return Array.isArray(content) ? content : []
}
