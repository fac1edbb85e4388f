// From what the runtime throws to the protocol's KIND: by class, then by errno, then by the stable texts that are
// all that tells its plain errors apart, then by the operation.
import * as persistence from '@deepseek-ai/dsh-session-persistence'

/** A refusal by the adapter itself, where the runtime's own interface cannot even be asked. */
export class Refusal extends Error {
  constructor(kind, message) {
    super(message)
    this.kind = kind
  }
}

/** The runtime has one class for every format that it does not read, whatever the reason. */
const BEFORE_CLASS = [
  [/^stored Session uses newer format /, 'unsupported-format'],
  [/; source v\d+ artifact remains unchanged/, 'unsupported-migration'],
]

const BY_CLASS = {
  SessionPersistenceNotFoundError: 'not-found',
  SessionAlreadyExistsError: 'already-exists',
  SessionAlreadyOwnedError: 'already-owned',
  SessionReadOnlyError: 'read-only',
  SessionHandleClosedError: 'closed',
  SessionOwnershipLostError: 'ownership-lost',
  SessionPersistenceCorruptionError: 'corrupt',
  SessionFormatUnsupportedError: 'unsupported-format',
}

const BY_TEXT = [
  [/^append seq mismatch for /, 'seq-mismatch'],
  [/losslessly JSON-serializable/, 'not-json'],
  [/non-JSON-serializable/, 'not-json'],
  [/non-negative safe integer/, 'invalid-argument'],
  [/cannot encode an empty path segment/, 'invalid-argument'],
  [/inherited event count/, 'invalid-argument'],
  [/refusing to materialize/, 'already-exists'],
  [/^session generation filename identifies /, 'unsupported-format'],
  [/^corrupt session log /, 'corrupt'],
  [/shrank below a previously observed prefix/, 'corrupt'],
  [/^session header uses retired /, 'corrupt'],
  [/^duplicate JSONL session id /, 'corrupt'],
  [/flat-file layout/, 'corrupt'],
  [/but this backend is configured for compression/, 'unsupported-format'],
]

/** A format error means something else where the caller brings the value than where it was read from the disk. */
const FORMAT_ERROR_BY_METHOD = {
  'store/create': 'invalid-argument',
  'store/append': 'invalid-event',
  'files/write': 'invalid-event',
  'files/path': 'invalid-argument',
}

/** A plain error of a session's is about the event that it was given. */
const OF_EVENTS = ['core/append', 'core/derive', 'core/fold', 'core/seed']

/** Reading a log knows two kinds of refusal, by whatever part of the runtime it is refused. */
const OF_READING = { 'unsupported-format': 'unsupported-format', 'unsupported-migration': 'unsupported-format' }

const BY_FORK_CODE = { INVALID_BOUNDARY: 'invalid-boundary', OPEN_TURN: 'open-turn' }

export function kindOf(method, error) {
  if (error instanceof Refusal) return error.kind
  if (method === 'core/admit') return OF_READING[thrownKind(method, error)] ?? 'corrupt'
  if (error?.name === 'SessionForkError') return BY_FORK_CODE[error.code] ?? 'other'
  const kind = thrownKind(method, error)
  return kind === 'other' && OF_EVENTS.includes(method) ? 'invalid-event' : kind
}

function thrownKind(method, error) {
  if (error instanceof AggregateError) return kindOfAll(method, error.errors)
  const text = String(error?.message ?? error)
  for (const [pattern, kind] of BEFORE_CLASS) if (pattern.test(text)) return kind
  for (const [name, kind] of Object.entries(BY_CLASS)) if (isA(error, name)) return kind
  if (typeof error?.code === 'string' && typeof error.errno === 'number') return 'io'
  if (method === 'migration/migrate' && isOfFormat(error)) return kindOfFormat(method, error)
  for (const [pattern, kind] of BY_TEXT) if (pattern.test(text)) return kind
  if (isOfFormat(error)) return kindOfFormat(method, error)
  return error instanceof TypeError ? 'invalid-argument' : 'other'
}

function isOfFormat(error) {
  return /^SessionFormat/.test(error?.name)
}

function kindOfFormat(method, error) {
  const otherwise = error.name === 'SessionFormatUnsupportedMigrationError' ? 'unsupported-migration' : 'corrupt'
  return FORMAT_ERROR_BY_METHOD[method] ?? otherwise
}

/** By name too: a plugin may carry its own copy of the runtime's error classes. */
function isA(error, name) {
  const known = persistence[name]
  return error?.name === name || (typeof known === 'function' && error instanceof known)
}

function kindOfAll(method, errors) {
  const kinds = new Set(errors.map((error) => kindOf(method, error)))
  return kinds.size === 1 ? [...kinds][0] : 'other'
}
