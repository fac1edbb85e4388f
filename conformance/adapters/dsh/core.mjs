// Two methods of track "core", in the format that the runtime writes: what the model is shown of a log, and how a turn
// that was cut off is closed.  The track as a whole is not claimed.
import * as sessions from '@deepseek-ai/dsh-session'
import { BadRequest } from './bad-request.mjs'

export function coreMethods() {
  return {
    async 'core/derive'({ format, events }) {
      demand(format)
      const cut = events.findLastIndex((event) => event.type === 'session/end-seed' && event.data?.inherited === true)
      const header = { version: format, id: 'derived', createdAt: 0, isSeeded: cut >= 0 }
      const rest = [Math.max(cut, 0), 'detached', await projections()]
      return { messages: sessions.Session.fromRestore(header.id, events, header, ...rest).deriveMessages() }
    },

    'core/closers'({ format, events, cause }) {
      demand(format)
      if (cause !== 'interrupted') throw new BadRequest(`this adapter closes what was interrupted, not what was ${cause}`)
      return { events: sessions.interruptedTurnClosers(events) }
    },
  }
}

function demand(format) {
  const own = sessions.SESSION_FORMAT_VERSION
  if (format !== own) throw new BadRequest(`this runtime derives from format ${own}, not from ${format}`)
}

/** How plugins' events change messages; older runtimes have no such thing. */
async function projections() {
  try {
    const found = await import('@deepseek-ai/dsh-session-format-catalog/message-projections')
    return found.currentSessionMessageProjections
  } catch (error) {
    if (['ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_MODULE_NOT_FOUND'].includes(error.code)) return []
    throw error
  }
}
