// What a request consists of: chapter "derivation".
import { isObject } from './json.mjs'
import { toolsOf } from './marker.mjs'
import { fold } from './surface.mjs'
import { blocksOf, messageOf } from './vocabulary.mjs'

const ALWAYS_SHOWN = new Set(['user/message', 'tool/result'])

/** The messages that a model is shown. */
export function messages(events) {
  const { nodes, projected } = fold(events)
  return nodes.flatMap((seq) => {
    const event = events[seq]
    const isShown = ALWAYS_SHOWN.has(event.type) || blocksOf(event).length > 0
    return isShown ? [projected.get(seq) ?? messageOf(event)] : []
  })
}

const latest = (events, type) => events.findLast((event) => event.type === type)?.data ?? null

export const requestContext = (events) => latest(events, 'request/context')

/** The latest request header in canonical form. */
export function requestHeader(events) {
  const header = latest(events, 'request/header')?.header
  if (!isObject(header)) return null
  const { config, adapterDefaults: defaults, tools } = header
  const canonical = { config }
  if (defaults?.reasoningEffort === true || defaults?.maxTokens === true) canonical.adapterDefaults = defaults
  if (tools?.length > 0) canonical.tools = tools
  return canonical
}

/** Which tools a model has been told of, and how that came about. */
export function toolHistory(events) {
  let series = newSeries([])
  let isFirst = true
  let active = []
  for (const event of events) {
    if (event.type === 'request/header') {
      active = toolsOf(event)
      if (isFirst || opensSeries(series, event)) series = newSeries(active)
      isFirst = false
    } else if (event.type === 'developer/message') {
      update(series, event, events)
    }
  }
  const names = new Set(active.map((tool) => tool.name))
  const agrees = names.size === series.available.size && [...names].every((name) => series.available.has(name))
  return agrees ? { tools: series.tools, updates: series.updates } : { tools: active, updates: [] }
}

function newSeries(tools) {
  const declared = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]))
  return { tools, updates: [], declared, available: new Set(declared.keys()) }
}

/** A header that says so opens a new series, and so does one that redeclares a tool with another text. */
function opensSeries({ declared }, { data }) {
  if (data.reason === 'series' || data.startsSeries) return true
  return toolsOf({ data }).some((tool) => (declared.get(tool.name) ?? JSON.stringify(tool)) !== JSON.stringify(tool))
}

function update(series, event, events) {
  const additions = []
  for (const block of blocksOf(event)) {
    if (block.type === 'tool-removal') series.available.delete(block.toolName)
    if (block.type !== 'tool-addition') continue
    const tool = toolsOf(events[event.data.headerSeq]).find(({ name }) => name === block.toolName)
    additions.push(tool)
    series.available.add(tool.name)
    series.declared.set(tool.name, JSON.stringify(tool))
  }
  series.updates.push({ messageId: messageOf(event).id, additions })
}
