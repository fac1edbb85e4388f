// JSON-RPC 2.0, one request at a time.
import { BadRequest } from './bad-request.mjs'
import { revive } from './hostile.mjs'
import { kindOf } from './refusals.mjs'
import { encode } from './wire.mjs'

const PARSE_ERROR = -32700
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const REFUSED = -32000

/** The parameters that may hold values outside JSON. */
const HOSTILE_PARAMETERS = ['value', 'data', 'events', 'header']

/** Answer one request line with one response line. */
export async function answer(methods, line) {
  let request
  try {
    request = JSON.parse(line)
  } catch (error) {
    return failure(null, PARSE_ERROR, `the request is not JSON: ${error.message}`)
  }
  const { id = null, method, params = {} } = request ?? {}
  if (!Object.hasOwn(methods, method)) return failure(id, METHOD_NOT_FOUND, `no method ${method}`)
  try {
    if (mayBeHostile(line)) reviveParameters(params)
    return encode({ jsonrpc: '2.0', id, result: await methods[method](params) })
  } catch (error) {
    if (error instanceof BadRequest) return failure(id, INVALID_PARAMS, error.message)
    return failure(id, REFUSED, String(error?.message ?? error), { kind: kindOf(method, error), detail: detailOf(error) })
  }
}

/** A cheap look at the text saves most requests the walk over their values. */
function mayBeHostile(line) {
  return line.includes('$hostile') || line.includes('$literal') || line.includes('\\u0024')
}

function reviveParameters(params) {
  for (const key of HOSTILE_PARAMETERS) if (Object.hasOwn(params, key)) revive(params, key)
}

function detailOf(error) {
  const detail = { name: error?.name ?? typeof error }
  if (error?.code !== undefined) detail.code = error.code
  if (error instanceof AggregateError) detail.errors = error.errors.map((inner) => String(inner?.message ?? inner))
  return detail
}

function failure(id, code, message, data) {
  return encode({ jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } })
}
