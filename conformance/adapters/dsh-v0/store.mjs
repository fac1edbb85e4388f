// The methods of track "store", seam "store", over the mounted persistence service.
import { existsSync } from 'node:fs'
import { BadRequest } from './bad-request.mjs'

export function storeMethods(subject) {
  const { capabilities } = subject.description
  let headers = new Map() // id -> last header seen: an artifact is located by its header

  const seen = (header) => headers.set(header.id, header)

  async function open(workspace) {
    headers = new Map()
    await subject.mount(workspace)
  }

  // The list fails as a whole for one bad header; a log that reads names its own.
  async function storedHeader(id) {
    const found = await subject.service.readFrom(id, 0).catch(() => undefined)
    return found?.meta
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

    async 'store/create'({ header }) {
      await subject.service.create(header)
      seen(header)
      return {}
    },

    async 'store/append'({ id, events }) {
      await subject.service.append(id, events)
      return {}
    },

    async 'store/load'({ id }) {
      return stored(await subject.service.load(id))
    },

    async 'store/inspect'({ id }) {
      return stored(await subject.service.inspect(id))
    },

    async 'store/readFrom'({ id, fromSeq }) {
      return stored(await subject.service.readFrom(id, fromSeq))
    },

    async 'store/list'() {
      const found = await subject.service.list()
      return { headers: found.map(defined) }
    },

    async 'store/listSnapshots'() {
      const found = await subject.service.listSnapshots()
      return { snapshots: found.map((each) => ({ ...defined(each), header: defined(each.header) })) }
    },

    async 'store/locate'({ id }) {
      if (capabilities.tracks.store.artifacts === null) return { path: null }
      const found = await subject.service.list().catch(() => []) // a session may be damaged
      const header = found.find((each) => each.id === id) ?? headers.get(id) ?? (await storedHeader(id))
      const path = header && subject.service.locate(header)?.path
      return { path: path !== undefined && existsSync(path) ? path : null }
    },
  }
}

function stored({ meta, events }) {
  return { header: defined(meta), events }
}

/** An optional member that is undefined is an absent one, in headers and snapshots. */
export function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
