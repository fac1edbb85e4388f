// The smallest third-party backend that can be driven: sessions in a Map, gone with the instance.
import {
  SessionAlreadyExistsError,
  SessionAlreadyOwnedError,
  SessionHandleClosedError,
  SessionPersistence,
  SessionPersistenceNotFoundError,
  SessionReadOnlyError,
  assertContiguous,
  materializeAppendBatch,
  materializeCreateHeader,
} from '@deepseek-ai/dsh-session-persistence'

class Handle {
  #log
  #closed = false

  constructor(log, access) {
    this.#log = log
    this.access = access
  }

  get id() {
    return this.#log.header.id
  }

  get header() {
    return this.#log.header
  }

  get inheritedEventCount() {
    return this.#log.inheritedEventCount
  }

  async read(offset = 0, length = Infinity) {
    this.#check('read')
    return { eventState: 'detached', events: structuredClone(this.#log.events.slice(offset, offset + length)) }
  }

  async append(events) {
    this.#check('append', 'write')
    const batch = materializeAppendBatch(events)
    assertContiguous(this.id, batch, this.#log.events.length)
    this.#log.events.push(...batch)
  }

  async flush() {
    this.#check('flush', 'write')
  }

  async close() {
    if (!this.#closed && this.access === 'write') this.#log.owned = false
    this.#closed = true
  }

  #check(operation, access = this.access) {
    if (this.#closed) throw new SessionHandleClosedError(this.id, operation)
    if (this.access !== access) throw new SessionReadOnlyError(this.id, operation)
  }
}

export default class MemoryPersistence extends SessionPersistence {
  name = 'memory-example'
  logs = new Map() // not private: the runtime hands services out as proxies

  constructor(ctx, config) {
    super(ctx)
    this.greeting = config.greeting
    console.log('a plugin may print what it likes')
  }

  async create(header, { inheritedEventCount = 0 } = {}) {
    const log = { header: materializeCreateHeader(header), inheritedEventCount, events: [], owned: true }
    if (this.logs.has(log.header.id)) throw new SessionAlreadyExistsError(log.header.id)
    this.logs.set(log.header.id, log)
    return new Handle(log, 'write')
  }

  async open(id, access) {
    const log = this.logs.get(id)
    if (log === undefined) throw new SessionPersistenceNotFoundError(id)
    if (access === 'write' && log.owned) throw new SessionAlreadyOwnedError(id)
    if (access === 'write') log.owned = true
    return new Handle(log, access)
  }

  async flush() {}

  async stat(id) {
    const log = this.logs.get(id)
    return log && snapshot(log, this.greeting)
  }

  async list() {
    return [...this.logs.values()].map((log) => snapshot(log, this.greeting))
  }
}

function snapshot({ header, events }, greeting) {
  return { header, revision: `${greeting}:${events.length}`, eventCount: events.length, sizeBytes: undefined }
}
