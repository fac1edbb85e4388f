#!/usr/bin/env node
// A port of the core of format v4 behind the adapter protocol: put your own in the place of what is imported.
import process from 'node:process'
import { closers } from './closers.mjs'
import { messages, requestContext, requestHeader, toolHistory } from './derive.mjs'
import { unwrap } from './json.mjs'
import { Refusal } from './refusal.mjs'
import { append, fork } from './session.mjs'
import { fold } from './surface.mjs'

/** What this port answers.  It does not judge stored logs, so core/admit and core/seed are not among them. */
const CORE = {
  'core/fold': ({ events, baseSeq }) => {
    const { nodes, replacements, projections } = fold(events, baseSeq)
    const replaceGeneration = replacements.length
    return { nodes, replaceGeneration, contentGeneration: replaceGeneration + projections, replacements }
  },
  'core/derive': ({ events }) => ({ messages: messages(events) }),
  'core/closers': ({ events, cause }) => ({ events: closers(events, cause) }),
  'core/fork': ({ header, events, boundary, child }) => fork(header, events, boundary, child),
  'core/append': ({ events, ...draft }) => ({ event: append(events, draft) }),
  'core/requestHeader': ({ events }) => ({ value: requestHeader(events) }),
  'core/requestContext': ({ events }) => ({ value: requestContext(events) }),
  'core/toolHistory': ({ events }) => ({ value: toolHistory(events) }),
  'core/json': ({ value }) => ({ value }),
}

const METHODS = {
  initialize: () => ({
    protocol: 1,
    implementation: { name: 'starter-js', version: '1', language: 'JavaScript' },
    tracks: { core: { formats: [4], methods: Object.keys(CORE) } },
    hostileValues: false,
  }),
  ...CORE,
}

/** Answer one request; an error that is no refusal ends the process, and stderr says where. */
function answer({ id, method, params }) {
  if (!Object.hasOwn(METHODS, method)) return { id, error: { code: -32601, message: `no method ${method}` } }
  for (const key of ['value', 'data', 'events', 'header']) {
    if (Object.hasOwn(params, key)) params[key] = unwrap(params[key])
  }
  try {
    return { id, result: METHODS[method](params) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { kind, rule, message } = error
    return { id, error: { code: -32000, message, data: { kind, rule } } }
  }
}

// Lines end with 0x0A alone, so bytes are split and then decoded: node:readline also splits at U+2028.
let parts = []
for await (const chunk of process.stdin) {
  let start = 0
  for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
    const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8')
    if (line !== '') process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer(JSON.parse(line)) })}\n`)
    parts = []
    start = end + 1
  }
  if (start < chunk.length) parts.push(chunk.subarray(start))
}
