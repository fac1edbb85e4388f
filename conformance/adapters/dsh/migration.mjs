// The method of track "migration", over the runtime's own catalogue of session formats.
import * as catalogs from '@deepseek-ai/dsh-session-format-catalog'
import { BadRequest } from './bad-request.mjs'
import { Refusal } from './refusals.mjs'
import { defined } from './store.mjs'

/** The formats whose header keeps the inherited count itself, as seedLength; later ones show it by a marker event. */
const COUNTED = [0, 1]

export function migrationMethods() {
  return {
    'migration/migrate'({ header, events, inheritedEventCount, to, children }) {
      const catalog = catalogOf(children)
      if (to !== catalog.currentVersion) {
        throw new BadRequest(`this runtime migrates to format ${catalog.currentVersion}, not to ${to}`)
      }
      const stored = storedHeader(header, inheritedEventCount)
      if (!COUNTED.includes(header?.version)) checkCount(events, inheritedEventCount)
      const validation = header?.version === to ? 'current' : 'transformed'
      const restore = catalog.createRestore(stored, { recovery: 'strict', validation })
      for (const event of events) restore.decodeRow(event)
      const migrated = restore.finish()
      return { ...migrated, header: defined(migrated.header) }
    },
  }
}

/**
 * A runtime that writes format 4 wants the facts about the session's children; an older one knows of none.
 * Without `children` nobody has looked for any, and the catalogue that is used is the one that says so.
 */
function catalogOf(children) {
  const create = catalogs.createSessionFormatCatalogWithChildren
  if (create !== undefined && children !== undefined) return create(children)
  if (children !== undefined && children.length > 0) throw new BadRequest('this runtime takes no facts about children')
  return catalogs.sessionFormatCatalog
}

/** The header as a file of its format has it; what is no header of any format is left to the runtime to refuse. */
function storedHeader(header, count) {
  if (typeof header !== 'object' || header === null || Array.isArray(header)) return header
  if (!COUNTED.includes(header.version)) return { type: 'session', ...header }
  const { isSeeded, ...rest } = header
  if (typeof isSeeded !== 'boolean') throw new Refusal('corrupt', 'the header does not say whether it is seeded')
  if (isSeeded) return { type: 'session', ...rest, seedLength: count }
  if (count !== 0) throw new Refusal('corrupt', `the header is not seeded, but ${count} events are inherited`)
  return { type: 'session', ...rest }
}

/** A file cannot say another count than its events show, so the runtime cannot be asked about one. */
function checkCount(events, count) {
  const shown = events.findLastIndex((event) => event?.type === 'session/end-seed' && event.data?.inherited === true)
  if (count !== Math.max(shown, 0)) {
    throw new Refusal('corrupt', `${count} events are said to be inherited, and the events show ${Math.max(shown, 0)}`)
  }
}
