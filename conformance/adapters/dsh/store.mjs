// The methods of track "store", seam "handle", over the mounted persistence service.
import { existsSync } from 'node:fs'
import { BadRequest } from './bad-request.mjs'

export function storeMethods(subject) {
  const { capabilities } = subject.description
  let handles = new Handles()
  let headers = new Map() // id -> last header seen: an artifact is located by its header

  const seen = (handle) => headers.set(handle.header.id, handle.header)

  async function open(workspace) {
    handles = new Handles()
    headers = new Map()
    await subject.mount(workspace)
  }

  return {
    async initialize({ protocol, workspace }) {
      const spoken = capabilities.protocol
      if (protocol !== spoken) throw new BadRequest(`this adapter speaks protocol ${spoken}, not ${protocol}`)
      await open(workspace)
      return capabilities
    },

    async 'store/openWorkspace'({ workspace }) {
      await open(workspace)
      return {}
    },

    async 'store/closeWorkspace'() {
      await subject.unmount()
      return {}
    },

    async 'store/create'({ header, ...options }) {
      const handle = await subject.service.create(header, options)
      seen(handle)
      return { handle: handles.add(handle) }
    },

    async 'store/open'({ id, access }) {
      const handle = await subject.service.open(id, access)
      seen(handle)
      return {
        handle: handles.add(handle),
        header: defined(handle.header),
        inheritedEventCount: handle.inheritedEventCount,
      }
    },

    async 'store/read'({ handle, offset, length }) {
      const result = await handles.get(handle).read(offset, length)
      return { events: Array.isArray(result) ? result : result.events }
    },

    async 'store/append'({ handle, events }) {
      await handles.get(handle).append(events)
      return {}
    },

    async 'store/flush'({ handle }) {
      await (handle === undefined ? subject.service : handles.get(handle)).flush()
      return {}
    },

    async 'store/close'({ handle }) {
      await handles.get(handle).close()
      return {}
    },

    async 'store/stat'({ id }) {
      const snapshot = await subject.service.stat(id)
      return { snapshot: snapshot === undefined ? null : described(snapshot) }
    },

    async 'store/list'() {
      const snapshots = await subject.service.list()
      return { snapshots: snapshots.map(described) }
    },

    async 'store/locate'({ id }) {
      if (capabilities.tracks.store.artifacts === null) return { path: null }
      const snapshot = await subject.service.stat(id).catch(() => undefined) // it may be damaged
      const header = snapshot?.header ?? headers.get(id)
      const path = header && subject.service.locate(header)?.path
      return { path: path !== undefined && existsSync(path) ? path : null }
    },
  }
}

/** The open handles by the numbers that the suite knows them by; a closed one stays, to be refused by its owner. */
class Handles {
  #byNumber = new Map()

  add(handle) {
    const number = this.#byNumber.size + 1
    this.#byNumber.set(number, handle)
    return number
  }

  get(number) {
    const handle = this.#byNumber.get(number)
    if (handle === undefined) throw new BadRequest(`no handle ${number} was given out in this workspace`)
    return handle
  }
}

function described(snapshot) {
  return { ...defined(snapshot), header: defined(snapshot.header) }
}

/** An optional member that is undefined is an absent one, in headers and snapshots. */
export function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
