/** The terminals as a caller sees them: all, or those of its scope. */

import type { CallerScope } from '@agentpty/protocol/scope'
import type { Session } from '../session/session.ts'
import type { Host } from './host.ts'
import { SessionNotFound } from './session-not-found.ts'
import type { ClosedByLimit } from './tree-limits.ts'

/** What callers do with terminals. */
export interface SeenHost
  extends Pick<
    Host,
    | 'sessions'
    | 'known'
    | 'find'
    | 'open'
    | 'assertMayInstruct'
    | 'rename'
    | 'signal'
    | 'hold'
    | 'close'
    | 'onChange'
    | 'leases'
  > {
  /** Those included that the caller does not see: for what the server itself keeps of terminals. */
  readonly allSessions: readonly Session[]
  /** The same of those that a limit has closed. */
  readonly closedByLimit: readonly ClosedByLimit[]
}

export type SeeingScope = Pick<CallerScope, 'id' | 'view'>

/** Who only looks sees terminals of others; everybody else those that were opened under the scope. */
export function isSeenBy({ info }: Session, { id, view }: SeeingScope): boolean {
  return view === undefined ? info.scope === id : view.terminalId === null || view.terminalId === info.id
}

/** What is opened through it belongs to the scope; what belongs to others is not there. */
export function hostSeenBy(host: SeenHost, scope: SeeingScope): SeenHost {
  const isSeen = (session: Session) => isSeenBy(session, scope)
  const known = (idOrName: string) => {
    const found = host.known(idOrName)
    return found !== null && isSeen(found) ? found : null
  }
  return {
    get sessions() {
      return host.sessions.filter(isSeen)
    },
    get allSessions() {
      return host.allSessions
    },
    get closedByLimit() {
      return host.closedByLimit
    },
    known,
    find(idOrName) {
      const found = known(idOrName)
      if (found === null) throw new SessionNotFound(idOrName, host.sessions.filter(isSeen))
      return found
    },
    open: (options) => host.open({ ...options, scope: scope.id }),
    leases: host.leases,
    assertMayInstruct: (session) => host.assertMayInstruct(session),
    rename: (session, name) => host.rename(session, name),
    signal: (session, number) => host.signal(session, number),
    hold: (session, isPaused) => host.hold(session, isPaused),
    close: (session, options) => host.close(session, options),
    onChange: (listener) => host.onChange(listener),
  }
}
