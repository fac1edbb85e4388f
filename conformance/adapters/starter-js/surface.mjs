// The surface of a log, or of a window of one: chapter "surface".
import { isObject } from './json.mjs'
import { checkMarker, checkTools } from './marker.mjs'
import { project } from './projection.mjs'
import { Refusal } from './refusal.mjs'
import { planReplacement } from './replacement.mjs'
import { isSurface } from './vocabulary.mjs'

/** Fold events of which the first has the seq baseSeq; throws the first rule that they break. */
export function fold(events, baseSeq = 0) {
  const surface = { nodes: [], replacements: [], projected: new Map(), projections: 0 }
  const eventAt = (seq) => events[seq - baseSeq]
  for (const [at, event] of events.entries()) {
    if (!isObject(event) || event.seq !== baseSeq + at) {
      throw new Refusal('invalid-event', 'SURF-SEQ-CONTIGUOUS', `event ${at} has not the seq ${baseSeq + at}`)
    }
    apply(surface, event, eventAt)
  }
  return surface
}

function apply(surface, event, eventAt) {
  const { nodes, replacements, projected } = surface
  checkMarker(event)
  checkTools(event, eventAt)
  if (event.type === 'image/offload') {
    for (const [seq, message] of project(event, nodes, projected, eventAt)) projected.set(seq, message)
    surface.projections += 1
  } else if (isSurface(event) && event.surfaceOp === 'append') {
    nodes.push(event.seq)
  } else if (isSurface(event)) {
    const { first, shadowed } = planReplacement(event, nodes, eventAt)
    const { startSeq: start, endSeq: end } = event.surfaceOp
    nodes.splice(first, shadowed.length, event.seq)
    replacements.push({ seq: event.seq, start, end, shadowedSeqs: shadowed })
  }
}
