// Which stretch of the surface an event may take the place of: chapter "surface", section "Replacements".
import { equal } from './json.mjs'
import { Refusal } from './refusal.mjs'

const refuse = (rule, message) => {
  throw new Refusal('invalid-event', rule, message)
}

/** Return the position of the stretch among the nodes, and the seqs in it. */
export function planReplacement(event, nodes, eventAt) {
  const first = nodes.indexOf(event.surfaceOp.startSeq)
  const last = nodes.indexOf(event.surfaceOp.endSeq)
  if (first < 0) refuse('SURF-REPLACE-START', 'the start is no node')
  if (last < 0) refuse('SURF-REPLACE-END', 'the end is no node')
  if (first > last) refuse('SURF-REPLACE-ORDER', 'the start stands behind the end')
  const shadowed = nodes.slice(first, last + 1)
  const cited = new Set(event.sourceEventSeqs)
  if (!shadowed.every((seq) => cited.has(seq))) refuse('SURF-REPLACE-COVERAGE', 'a shadowed node is not cited')
  if (event.type === 'tool/result') checkRewrite(event, shadowed, eventAt)
  const isHead = first === 0 && eventAt(nodes[0]).type === 'system/message'
  if (isHead && (event.type !== 'system/message' || shadowed.length > 1)) {
    refuse('SURF-SYSTEM-HEAD', 'the system message at the head is replaced by another one alone')
  }
  return { first, shadowed }
}

/** A result rewrites one result, and nothing of it but the content. */
function checkRewrite(event, shadowed, eventAt) {
  if (shadowed.length > 1) refuse('SURF-TOOL-ONE', 'a result rewrites one node')
  const original = eventAt(shadowed[0])
  if (original.type !== 'tool/result') refuse('SURF-TOOL-TARGET', 'a result rewrites a result')
  if (!equal(withoutContent(original.data), withoutContent(event.data))) {
    refuse('SURF-TOOL-CONTENT-ONLY', 'more than the content is rewritten')
  }
}

const withoutContent = (data) => ({ ...data, message: { ...data?.message, content: null } })
