// How the open end of a log is closed: chapter "repair".
import { blocksOf } from './vocabulary.mjs'

const DECIDE =
  'Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; ' +
  'if it may have side effects, first verify external state or ask the user. Do not retry blindly.'

/** The texts, by cause and by whether the call had started: protocol data (CLOSE-TEXT). */
const TEXTS = {
  interrupted: {
    started:
      'The tool call was interrupted after it was recorded, but no result was durably recorded. ' +
      `Its outcome is unknown. ${DECIDE}`,
    notStarted: 'The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.',
  },
  forked: {
    started:
      'The history inherited by this branch records this tool call starting but does not include its result. ' +
      `The parent session may have completed it after the fork point. ${DECIDE}`,
    notStarted:
      'The history inherited by this branch has no record of this tool call starting. ' +
      `The parent session may have executed it after the fork point. ${DECIDE}`,
  },
}

const ERRORS = {
  started: { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' },
  notStarted: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' },
}

/** The events that close what is open at the end of a log, for a cause. */
export function closers(events, cause) {
  const { turn, step, calls } = openAtEnd(events)
  if (turn === undefined) return []
  const last = events.at(-1)
  const closing = []
  const close = (type, data, more = {}) =>
    closing.push({ type, seq: last.seq + closing.length + 1, time: last.time, data, ...more })
  for (const [callId, call] of calls) {
    const sources = call.startedBy === undefined ? {} : { sourceEventSeqs: [call.startedBy] }
    const data = result(callId, call, cause, last.seq + closing.length + 1)
    close('tool/result', data, { surfaceOp: 'append', ...sources })
  }
  if (step !== undefined) close('step/end', { turn, step })
  close('turn/end', { turn, reason: { kind: cause } })
  return closing
}

function result(callId, { turn, step, startedBy }, cause, seq) {
  const state = startedBy === undefined ? 'notStarted' : 'started'
  const message = {
    id: `${cause}-tool-result-${callId}-${seq}`,
    role: 'tool',
    toolCallId: callId,
    isError: true,
    source: { kind: 'tool', callId },
    content: [{ type: 'text', text: TEXTS[cause][state] }],
  }
  return { turn, step, message, error: ERRORS[state] }
}

/** What is open at the end: a turn, a step, and calls in the order in which their ids first came up. */
function openAtEnd(events) {
  const open = { turn: undefined, step: undefined, calls: new Map() }
  for (const event of events) scan(open, event)
  return open
}

function scan(open, event) {
  const { type, seq, data } = event
  switch (type) {
    case 'turn/start':
    case 'turn/end':
      open.turn = type === 'turn/start' ? data.turn : undefined
      open.step = undefined
      open.calls.clear()
      break
    case 'step/start':
      open.step = data.step
      break
    case 'step/end':
      open.step = undefined
      open.calls.clear()
      break
    case 'assistant/message':
      for (const block of blocksOf(event)) {
        // To set a key again keeps its place.
        if (block?.type === 'tool-call') open.calls.set(block.id, { turn: data.turn, step: data.step })
      }
      break
    case 'tool/call':
      if (open.calls.has(data.callId)) open.calls.get(data.callId).startedBy = seq
      break
    case 'tool/result':
      answer(open.calls, event)
  }
}

/** Only an appended result of the call's turn and step answers it (REPAIR-MATCH-EXACT). */
function answer(calls, { data, surfaceOp }) {
  const { callId } = data.message.source
  const call = calls.get(callId)
  if (surfaceOp === 'append' && call?.turn === data.turn && call?.step === data.step) calls.delete(callId)
}
