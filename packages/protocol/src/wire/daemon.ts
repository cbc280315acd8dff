/** The state of a daemon itself, besides its terminals. */

import type { AuditStatus } from '../audit/audit-status.ts'
import type { PreviousEnd } from '../home/daemon-end.ts'
import type { DiscoveryState } from '../home/discovery.ts'
import type { PolicyProfile } from '../policy/policy.ts'
import type { TerminalDrops } from '../session/dropped.ts'

/** What the daemon's own log lacks; null while its lines are written. */
export type DaemonLogStatus = {
  /** As the log has times. */
  readonly since: string
  readonly reason: string
  readonly lines: number
} | null

export interface DaemonStatus {
  readonly daemon: {
    readonly pid: number
    readonly version: string
    readonly build: string
    readonly startedAt: string
    readonly clients: number
  }
  readonly stateFolder: string
  /** How the daemon before it ended; null when there was none. */
  readonly previous: PreviousEnd | null
  readonly host: { readonly pid: number }
  /** The profile in the user’s configuration; a repository may be stricter. */
  readonly profile: PolicyProfile
  readonly sessions: { readonly open: number; readonly exited: number }
  /** Terminals that have left something out because a bound was reached. */
  readonly dropped: readonly TerminalDrops[]
  readonly audit: AuditStatus
  readonly log: DaemonLogStatus
  readonly socket: string
  /** MCP over HTTP, and its discovery files; null when it is turned off. */
  readonly http: { readonly url: string; readonly discovery: readonly DiscoveryState[] } | null
}
