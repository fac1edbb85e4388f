// JSON values, as a log means them: chapter "log", section "Values".

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An integer from 0 to 2^53 - 1, and no negative zero. */
export function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
}

/** Whether an object has these keys and no others. */
export function hasExactly(value, ...keys) {
  return isObject(value) && Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key))
}

/** Whether two values are the same JSON value: the order of keys means nothing, that of items does. */
export function equal(left, right) {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => equal(item, right[at]))
  }
  if (!isObject(left) || !isObject(right)) return left === right
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
  )
}

/** Take off the wrapping that tells data from the protocol's own marks: chapter "adapters". */
export function unwrap(value) {
  if (Array.isArray(value)) return value.map(unwrap)
  if (!isObject(value)) return value
  const members = hasExactly(value, '$literal') ? value.$literal : value
  // Not by assignment: "__proto__" is a key like any other.
  return Object.fromEntries(Object.entries(members).map(([key, item]) => [key, unwrap(item)]))
}
