/** Nobody ends everything while those who have started them are at work. Ending single terminals is looked at by their verbs. */

import type { SeenHost } from '@agentpty/engine/host'
import type { Guard } from '@agentpty/protocol/call'
import { aboveOwnError, terminalVariable } from '@agentpty/protocol/session'

/** Errors: `own_terminal`. */
export function ownTreeGuard(host: Pick<SeenHost, 'allSessions'>): Guard {
  return ({ name, input, context: { env } }) => {
    if (name !== 'stop' || !(input as { readonly all: boolean }).all) return
    const own = host.allSessions.find(({ info }) => info.id === env[terminalVariable])
    if (own === undefined || own.exit !== null) return
    const above = host.allSessions.find(({ info, exit }) => exit === null && own.info.ancestors.includes(info.id))
    if (above !== undefined) throw aboveOwnError(above.info.id, own.info.id, 'Ending everything')
  }
}
