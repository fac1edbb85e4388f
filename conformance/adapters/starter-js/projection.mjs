// Images that are put out of sight without a new node: chapter "surface", section "Projections".
import { hasExactly, isCount } from './json.mjs'
import { Refusal } from './refusal.mjs'
import { messageOf } from './vocabulary.mjs'

const refuse = (rule, message) => {
  throw new Refusal('invalid-event', rule, message)
}

/** Return the messages that an image/offload changes, by seq. */
export function project(event, nodes, projected, eventAt) {
  const targets = hasExactly(event.data, 'targets') ? event.data.targets : undefined
  if (!Array.isArray(targets) || targets.length === 0 || !targets.every(isTarget)) {
    refuse('IMG-TARGETS', 'an image/offload has exactly a list of targets')
  }
  if (new Set(targets.map(({ seq }) => seq)).size < targets.length) refuse('IMG-TARGETS', 'a message is named twice')
  return targets.map(({ seq, imageIndexes }) => {
    const node = nodes.includes(seq) ? eventAt(seq) : undefined
    if (node?.type !== 'user/message' && node?.type !== 'tool/result') refuse('IMG-NODE', `${seq} shows no images`)
    return [seq, withhold(projected.get(seq) ?? messageOf(node), imageIndexes)]
  })
}

function isTarget(target) {
  if (!hasExactly(target, 'seq', 'imageIndexes') || !isCount(target.seq)) return false
  const { imageIndexes: indexes } = target
  if (!Array.isArray(indexes) || indexes.length === 0 || !indexes.every(isCount)) return false
  return indexes.every((index, at) => at === 0 || indexes[at - 1] < index)
}

function withhold(message, indexes) {
  const content = [...message.content]
  const images = [...content.keys()].filter((at) => content[at]?.type === 'image')
  for (const index of indexes) {
    const at = images[index]
    if (at === undefined) refuse('IMG-INDEXES', `there is no image ${index}`)
    if (content[at].offloaded === true) refuse('IMG-ONCE', `image ${index} is out of sight already`)
    content[at] = { ...content[at], offloaded: true }
  }
  return { ...message, content }
}
