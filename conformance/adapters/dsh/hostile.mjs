// Values that JSON cannot carry, by the names that the adapter protocol gives them.
import { BadRequest } from './bad-request.mjs'

class Point {
  x = 1
}

const BUILDERS = {
  undefined: () => undefined,
  nan: () => NaN,
  infinity: () => Infinity,
  '-infinity': () => -Infinity,
  '-0': () => -0,
  bigint: () => 1n,
  function: () => () => 1,
  symbol: () => Symbol('hostile'),
  cycle: () => {
    const value = { inner: {} }
    value.inner.outer = value
    return value
  },
  'sparse-array': () => [1, , 3], // eslint-disable-line no-sparse-arrays
  'class-instance': () => new Point(),
  date: () => new Date(0),
  map: () => new Map([['key', 1]]),
  set: () => new Set([1]),
}

/**
 * Replace the markers in a parameter by what they stand for, in place: {"$hostile": NAME} is the named value,
 * {"$literal": OBJECT} is OBJECT itself, whose members are revived in their turn.  A loop, not a recursion: logs may
 * nest deeply.
 */
export function revive(params, key) {
  const pending = [[params, key]]
  while (pending.length > 0) {
    const [holder, member] = pending.pop()
    let value = holder[member]
    if (typeof value !== 'object' || value === null) continue
    if (isMarker(value, '$hostile')) {
      define(holder, member, build(value.$hostile))
      continue
    }
    if (isMarker(value, '$literal')) {
      value = literal(value.$literal)
      define(holder, member, value)
    }
    for (const inner of Object.keys(value)) pending.push([value, inner])
  }
}

function isMarker(value, name) {
  return Object.hasOwn(value, name) && Object.keys(value).length === 1
}

/** Not an assignment: "__proto__" is a member like any other. */
function define(holder, member, value) {
  Object.defineProperty(holder, member, { value, writable: true, enumerable: true, configurable: true })
}

function literal(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest('"$literal" holds no object')
  return value
}

function build(name) {
  if (!Object.hasOwn(BUILDERS, name)) throw new BadRequest(`no hostile value is called ${JSON.stringify(name)}`)
  return BUILDERS[name]()
}

/** The protocol's name of a value that is outside JSON in itself; undefined for one that JSON can say. */
export function hostileName(value) {
  switch (typeof value) {
    case 'number':
      if (Object.is(value, -0)) return '-0'
      if (Number.isNaN(value)) return 'nan'
      return Number.isFinite(value) ? undefined : value > 0 ? 'infinity' : '-infinity'
    case 'object':
      return value === null ? undefined : hostileObjectName(value)
    case 'string':
    case 'boolean':
      return undefined
    default:
      return typeof value // undefined, bigint, function, symbol
  }
}

function hostileObjectName(value) {
  if (Array.isArray(value)) return Object.keys(value).length === value.length ? undefined : 'sparse-array'
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return undefined
  if (value instanceof Date) return 'date'
  if (value instanceof Map) return 'map'
  return value instanceof Set ? 'set' : 'class-instance'
}
