// Messages as JSON text that hides nothing.  JSON.stringify alone turns NaN into null, -0 into 0 and a Map into {},
// leaves undefined out, and overflows the stack on deep values: a store that returned one of them would look right,
// or wrong, by the adapter's doing.
import { hostileName } from './hostile.mjs'

/**
 * Encode a message.  Where it holds something that JSON cannot say, {"$hostile": NAME} stands in its place (the token
 * -0 for negative zero), which equals nothing that a log can hold.
 */
export function encode(message) {
  try {
    if (isJson(message)) return JSON.stringify(message)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return write(message)
}

/** Whether JSON.stringify says all of it. */
function isJson(root) {
  const walk = new Walk(root)
  for (const value of walk) {
    if (hostileName(value) !== undefined || walk.isCycle(value)) return false
    if (isContainer(value)) walk.enter(value, Object.values(value))
  }
  return true
}

/** The slow way, for what JSON.stringify cannot do. */
function write(root) {
  const text = []
  const walk = new Walk(root)
  for (const value of walk) {
    if (value instanceof Raw) text.push(value.text)
    else if (walk.isCycle(value)) text.push(marker('cycle'))
    else if (hostileName(value) !== undefined) text.push(marker(hostileName(value)))
    else if (isContainer(value)) walk.enter(value, pieces(value))
    else text.push(JSON.stringify(value))
  }
  return text.join('')
}

/** JSON text that is written as it is. */
class Raw {
  constructor(text) {
    this.text = text
  }
}

/** The parts of an array or object in the order in which they are written. */
function* pieces(container) {
  const isArray = Array.isArray(container)
  yield new Raw(isArray ? '[' : '{')
  let comma = ''
  for (const [key, item] of Object.entries(container)) {
    yield new Raw(isArray ? comma : `${comma}${JSON.stringify(key)}:`)
    yield item
    comma = ','
  }
  yield new Raw(isArray ? ']' : '}')
}

function marker(name) {
  return name === '-0' ? name : `{"$hostile":"${name}"}`
}

function isContainer(value) {
  return typeof value === 'object' && value !== null
}

/** Depth-first over values without recursion, so that depth costs memory and no stack. */
class Walk {
  constructor(root) {
    this.path = [{ container: undefined, rest: [root][Symbol.iterator]() }]
    this.open = new Set()
  }

  isCycle(value) {
    return this.open.has(value)
  }

  enter(container, parts) {
    this.open.add(container)
    this.path.push({ container, rest: parts[Symbol.iterator]() })
  }

  *[Symbol.iterator]() {
    while (this.path.length > 0) {
      const { container, rest } = this.path.at(-1)
      const { done, value } = rest.next()
      if (!done) yield value
      else {
        this.open.delete(container)
        this.path.pop()
      }
    }
  }
}
