// How a log grows and forks: chapters "session" and "fork".
import { closers } from './closers.mjs'
import { isObject } from './json.mjs'
import { Refusal } from './refusal.mjs'
import { fold } from './surface.mjs'

/** Return the event that an append makes, or throw the rule that it breaks. */
export function append(events, { type, data, time, ...rest }) {
  const event = { type, seq: events.length, time, data }
  for (const key of ['surfaceOp', 'sourceEventSeqs']) if (Object.hasOwn(rest, key)) event[key] = rest[key]
  checkAlone(event)
  fold([...events, event])
  return event
}

/** The rules of a payload that need the event alone (APP-LOCAL). */
function checkAlone({ type, data }) {
  if (type === 'request/header') checkHeader(data?.header)
  if (type === 'tool/result' && isObject(data) && Object.hasOwn(data, 'error') && data.message?.isError !== true) {
    refuse('PL-RESULT-ERROR-CONSISTENT', 'it has an error and no isError')
  }
  if (type === 'developer/message') checkDeveloper(data)
}

function checkHeader(header) {
  if (!isObject(header)) refuse('HDRREQ-CANONICAL', 'there is no header')
  if (Object.hasOwn(header, 'system')) refuse('HDRREQ-CANONICAL', 'the header has a system prompt')
  if (header.tools?.length === 0) refuse('HDRREQ-CANONICAL', 'the list of tools is empty')
  const { adapterDefaults: defaults } = header
  if (isObject(defaults) && Object.keys(defaults).length === 0) refuse('HDRREQ-CANONICAL', 'the defaults are empty')
}

function checkDeveloper(data) {
  if (data?.message?.role !== 'developer') refuse('DEV-ROLE', 'its message has another role')
  const changes = data.message.content.filter(({ type }) => type === 'tool-addition' || type === 'tool-removal')
  for (const block of changes) {
    if (typeof block.toolName !== 'string' || block.toolName === '') refuse('DEV-TOOLNAME', 'a block names no tool')
    if (block.type === 'tool-addition' && Object.hasOwn(block, 'tool')) refuse('DEV-NO-INLINE', 'a tool stands in a block')
  }
  const adds = changes.some(({ type }) => type === 'tool-addition')
  if (adds !== Object.hasOwn(data, 'headerSeq')) refuse('DEV-HEADERSEQ-IFF', 'headerSeq goes with added tools')
}

function refuse(rule, message) {
  throw new Refusal('invalid-event', rule, message)
}

/** Return the log of a child that begins like another up to and with the boundary. */
export function fork(header, events, boundary, child) {
  const last = boundary === undefined ? events.length - 1 : boundary
  if (boundary !== undefined) {
    if (!Number.isSafeInteger(last) || last < 0) refuseBoundary('FORK-BOUNDARY-INT', 'the boundary is no seq')
    if (last >= events.length) refuseBoundary('FORK-BOUNDARY-EXISTS', 'no event has that seq')
  }
  const prefix = events.slice(0, last + 1)
  const time = prefix.at(-1)?.time ?? child.createdAt
  const marker = { type: 'session/end-seed', seq: prefix.length, time, data: { inherited: true } }
  const marked = [...prefix, marker]
  const { id: parentSession, cwd } = header
  const own = { version: 4, id: child.id, createdAt: child.createdAt, isSeeded: true, parentSession }
  return {
    header: cwd === undefined ? own : { ...own, cwd },
    inheritedEventCount: prefix.length,
    events: [...marked, ...closers(marked, 'forked')],
  }
}

function refuseBoundary(rule, message) {
  throw new Refusal('invalid-boundary', rule, message)
}
