// From what the runtime throws to the protocol's KIND.  In this era two refusals have a class; the others are plain
// errors that their texts tell apart.
import * as persistence from '@deepseek-ai/dsh-session-persistence'

/** A refusal by the adapter itself, where the runtime's own interface cannot even be asked. */
export class Refusal extends Error {
  constructor(kind, message) {
    super(message)
    this.kind = kind
  }
}

const BY_CLASS = {
  SessionPersistenceCorruptionError: 'corrupt',
  SessionFormatUnsupportedError: 'unsupported-format',
}

const BY_TEXT = [
  [/append seq mismatch for /, 'seq-mismatch'],
  [/append starts at seq /, 'seq-mismatch'],
  [/losslessly JSON-serializable/, 'not-json'],
  [/non-JSON-serializable/, 'not-json'],
  [/non-negative safe integer/, 'invalid-argument'],
  [/cannot encode an empty path segment/, 'invalid-argument'],
  [/already exists/, 'already-exists'],
  [/already has a persisted log/, 'already-exists'],
  [/^corrupt /, 'corrupt'],
  [/^empty or header-less /, 'corrupt'],
  [/^session header uses retired /, 'corrupt'],
  [/^session .* contains malformed /s, 'corrupt'],
  [/not found/, 'not-found'],
]

const BY_FORK_CODE = { INVALID_BOUNDARY: 'invalid-boundary', OPEN_TURN: 'open-turn' }

export function kindOf(method, error) {
  if (error instanceof Refusal) return error.kind
  if (error?.name === 'SessionForkError') return BY_FORK_CODE[error.code] ?? 'other'
  const kind = thrownKind(method, error)
  return method === 'core/admit' && kind !== 'unsupported-format' ? 'corrupt' : kind
}

function thrownKind(method, error) {
  if (error instanceof AggregateError) return kindOfAll(method, error.errors)
  for (const [name, kind] of Object.entries(BY_CLASS)) {
    if (error?.name === name || error instanceof persistence[name]) return kind
  }
  if (typeof error?.code === 'string' && typeof error.errno === 'number') return 'io'
  const text = String(error?.message ?? error)
  for (const [pattern, kind] of BY_TEXT) if (pattern.test(text)) return kind
  return error instanceof TypeError ? 'invalid-argument' : 'other'
}

function kindOfAll(method, errors) {
  const kinds = new Set(errors.map((error) => kindOf(method, error)))
  return kinds.size === 1 ? [...kinds][0] : 'other'
}
