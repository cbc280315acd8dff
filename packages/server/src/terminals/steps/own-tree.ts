/** Terminals that a caller may not end or hold: its ancestors, and its own unless the call forces it. */

import type { SeenHost } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import type { CallContext, Guard } from '@agentpty/protocol/call'
import { aboveOwnError, ownTerminalError, terminalVariable } from '@agentpty/protocol/session'

interface Doing {
  /** `Closing it`. */
  readonly what: string
  readonly force: boolean
}

/** Errors: `own_terminal`. */
export function assertNotOwnTree(
  { host }: { readonly host: Pick<SeenHost, 'allSessions'> },
  sessions: readonly Session[],
  { env }: Pick<CallContext, 'env'>,
  { what, force }: Doing,
): void {
  const own = host.allSessions.find(({ info }) => info.id === env[terminalVariable])
  if (own === undefined || own.exit !== null) return
  const above = sessions.find(({ info, exit }) => exit === null && own.info.ancestors.includes(info.id))
  if (above !== undefined) throw aboveOwnError(above.info.id, own.info.id, what)
  if (!force && sessions.includes(own)) throw ownTerminalError(own.info.id, what)
}

/** Refuses to end everything while the programs that started the caller are at work. Errors: `own_terminal`. */
export function ownTreeGuard(host: Pick<SeenHost, 'allSessions'>): Guard {
  return ({ name, input, context }) => {
    if (name !== 'stop' || !(input as { readonly all: boolean }).all) return
    assertNotOwnTree({ host }, host.allSessions, context, { what: 'Ending everything', force: true })
  }
}

/** The terminals, and those opened from them, and from those, as far as the caller sees them: the lowest first. */
export function withBelow(
  { host }: { readonly host: Pick<SeenHost, 'sessions'> },
  sessions: readonly Session[],
): readonly Session[] {
  const ids = new Set(sessions.map(({ info }) => info.id))
  const below = host.sessions.filter(({ info }) => info.ancestors.some((id) => ids.has(id)))
  return [...new Set([...sessions, ...below])].toSorted((a, b) => b.info.ancestors.length - a.info.ancestors.length)
}
