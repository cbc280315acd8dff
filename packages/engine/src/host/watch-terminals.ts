/** Sends the list of terminals, again whenever it changes. */

import { defined, type Stop } from '@agentpty/protocol'
import type { OverTime, TerminalStart } from '@agentpty/protocol/agents'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { SessionInfo, TerminalSummary, TerminalsEvent } from '@agentpty/protocol/session'
import type { Session } from '../session/session.ts'
import type { Host } from './host.ts'
import { SessionNotFound } from './names.ts'
import type { ClosedByLimit } from './tree-limits.ts'

interface WatchedHost {
  readonly sessions: readonly { readonly info: SessionInfo }[]
  /** Calls when a session comes, goes or is renamed; returns a function that stops it. Errors: `limit_reached`. */
  onChange(listener: () => void): Stop
}

/** The terminals as they are now, then after each change; changes while the reader is busy come as one. Errors: `limit_reached`. */
export async function* watchTerminals(host: WatchedHost, signal?: AbortSignal): AsyncGenerator<TerminalsEvent, void> {
  let isChanged = true
  let wake = () => {}
  const changed = () => {
    isChanged = true
    wake()
  }
  const stop = host.onChange(changed)
  signal?.addEventListener('abort', changed, { once: true })
  try {
    while (signal?.aborted !== true) {
      if (isChanged) {
        isChanged = false
        yield { type: 'terminals', terminals: host.sessions.map(summaryOf) }
      } else {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    signal?.removeEventListener('abort', changed)
    stop()
  }
}

function summaryOf({ info }: { readonly info: SessionInfo }): TerminalSummary {
  return { terminalId: info.id, name: info.name }
}

/** The data that the lineage keeps of terminals: how each was started, and why a limit closed one. */
export function overTimeOf({ info, why, closedAt }: ClosedByLimit): OverTime {
  const { id: terminalId, name, parent, createdAt, argv, cwd, scope } = info
  const command = argv.join(' ')
  const terminal = { terminalId, name: name ?? undefined, parent: parent ?? undefined, createdAt, command, cwd }
  return { terminal: defined(terminal), scope, why, closedAt }
}

export function startOf(info: SessionInfo): TerminalStart
export function startOf(info: SessionInfo | undefined): TerminalStart | null
export function startOf(info: SessionInfo | undefined): TerminalStart | null {
  if (info === undefined) return null
  const { name, argv, shell, sandbox } = info
  return { name, argv, shell, hasWalls: sandbox !== null }
}

// The terminals as a caller sees them: all, or those of its scope.

/** The operations of callers on terminals. */
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
  /** All sessions, including those that the caller does not see: for the server's own records of terminals. */
  readonly allSessions: readonly Session[]
  /** All sessions that a limit has closed, likewise. */
  readonly closedByLimit: readonly ClosedByLimit[]
}

type SeeingScope = Pick<CallerScope, 'id' | 'view'>

/** Whether the caller sees the session. Viewers see the terminals of others; other callers see those opened under their scope. */
export function isSeenBy({ info }: Session, { id, view }: SeeingScope): boolean {
  return view === undefined ? info.scope === id : view.terminalId === null || view.terminalId === info.id
}

/** Limits the host to a scope. Terminals opened through it belong to the scope, and those of others are hidden. */
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
