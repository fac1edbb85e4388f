// What an event says of its own place on the surface: chapter "surface", section "One event", steps 2 to 5.
import { hasExactly, isCount, isObject } from './json.mjs'
import { Refusal } from './refusal.mjs'
import { blocksOf, isOpaque, isSurface } from './vocabulary.mjs'

const refuse = (rule, message) => {
  throw new Refusal('invalid-event', rule, message)
}

/** Whether the event enters the surface in a way that its type allows, citing what it may. */
export function checkMarker(event) {
  if (isSurface(event)) {
    checkOperation(event)
    if (Object.hasOwn(event, 'sourceEventSeqs')) checkSources(event)
  } else if (!isOpaque(event)) {
    if (Object.hasOwn(event, 'surfaceOp')) refuse('SURF-LOGONLY-NO-OP', `a ${event.type} has no place on the surface`)
    if (Object.hasOwn(event, 'sourceEventSeqs')) refuse('SURF-LOGONLY-NO-SOURCES', `a ${event.type} cites nothing`)
  }
}

function checkOperation({ seq, surfaceOp }) {
  if (surfaceOp === undefined) refuse('SURF-MARKER-REQUIRED', 'there is no surfaceOp')
  if (surfaceOp === 'append') return
  if (!isObject(surfaceOp)) refuse('SURF-MARKER-SHAPE', 'surfaceOp is neither append nor an object')
  const { op, startSeq, endSeq } = surfaceOp
  if (!hasExactly(surfaceOp, 'op', 'startSeq', 'endSeq') || op !== 'replace' || !isCount(startSeq) || !isCount(endSeq)) {
    refuse('SURF-REPLACE-SHAPE', 'surfaceOp has exactly op, startSeq and endSeq')
  }
  if (startSeq >= seq || endSeq >= seq) refuse('SURF-REPLACE-EARLIER', 'it replaces what is not earlier')
}

function checkSources({ seq, type, sourceEventSeqs: sources }) {
  if (type === 'assistant/message') refuse('SRC-ASSISTANT-FORBID', 'an answer cites sources')
  if (!Array.isArray(sources)) refuse('SRC-ARRAY', 'the sources are no list')
  if (sources.length === 0) refuse('SRC-EMPTY', 'the list of sources is empty')
  if (!sources.every(isCount)) refuse('SRC-DENSE-INT', 'a source is no seq')
  if (new Set(sources).size < sources.length) refuse('SRC-NO-DUP', 'a source is named twice')
  if (sources.some((source) => source >= seq)) refuse('SRC-EARLIER', 'a source is not earlier')
}

/** Whether the tools that a developer message adds were declared; eventAt gives what the window has of the log. */
export function checkTools(event, eventAt) {
  if (event.type !== 'developer/message') return
  const added = blocksOf(event).filter((block) => block?.type === 'tool-addition')
  if (added.length === 0) return
  const { headerSeq } = event.data
  const header = headerSeq < event.seq ? eventAt(headerSeq) : undefined
  if (header?.type !== 'request/header') refuse('DEV-HEADER-REF', `${headerSeq} is no earlier request/header`)
  for (const { toolName } of added) {
    if (!declares(header, toolName)) refuse('DEV-HEADER-TOOL', `event ${headerSeq} does not declare ${toolName}`)
  }
}

/** Whether exactly one tool has the name, and it is whole. */
function declares(header, name) {
  const found = toolsOf(header).filter((tool) => tool?.name === name)
  const [tool] = found
  return (
    found.length === 1 &&
    typeof tool.description === 'string' &&
    isObject(tool.parameters) &&
    (!Object.hasOwn(tool, 'deferLoading') || tool.deferLoading === true)
  )
}

/** The tools that a request/header declares. */
export function toolsOf(event) {
  const tools = event.data?.header?.tools
  return Array.isArray(tools) ? tools : []
}
