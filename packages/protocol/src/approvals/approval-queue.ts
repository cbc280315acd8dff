/** What the guard of calls and the verbs need of the approvals. */

import type { Millis } from '../units.ts'
import type { Approval, ApprovalRequest } from './approval.ts'
import type { Grant, GrantChoice, Wish } from './grant.ts'

export interface AskOptions {
  /** How long an answer counts. */
  readonly keptMs?: Millis
  /** For which more than this once may be allowed. */
  readonly wish?: Wish
  /** The MCP client that asks; absent for callers whose end says nothing, as a command of the command line. */
  readonly mcpClient?: string
}

/** The client or the terminal that has ended. */
export type Ended = { readonly client: string } | { readonly terminalId: string }

export interface Answer {
  readonly isAllowed: boolean
  readonly by: string
  /** Allowed beyond this once. Errors of `decide`: `invalid_input` where that is not offered. */
  readonly grant?: GrantChoice
}

export interface ApprovalAnswer {
  readonly approvalId: string
  readonly state: 'allowed' | 'denied'
}

/** Called with each approval when it is asked, answered or has expired. */
export type ApprovalChanged = (approval: Approval) => void

export interface ApprovalQueue {
  /** Somebody looks what comes: an answer may come soon. */
  readonly isWatched: boolean
  /** The MCP clients whose approvals are open. */
  readonly asking: readonly string[]
  /** The newest last. */
  list(): readonly Approval[]
  /** Asks a person, once for the same wish, and only then looks what it is; an answer counts for `keptMs`. Errors: `limit_reached`. */
  ask(key: string, request: () => ApprovalRequest, options?: AskOptions): Approval
  /** The newest answer that still counts for this wish; an `allowed` one counts only once, and is spent by this. */
  answerTo(key: string): ApprovalAnswer | null
  /** Takes back the open approvals of a client or of a terminal that has ended. */
  withdrawFrom(ended: Ended): void
  /** The first answer counts. Errors: `not_asking` when there is one, when it came too late, or when nobody has asked. */
  decide(approvalId: string, answer: Answer): Approval
  /** The grant that lets it through, which this counts as used; null where none does. */
  grantedTo(wish: Wish): Grant | null
  /** Those that hold, the newest last. */
  grants(): readonly Grant[]
  /** Errors: `not_asking`. */
  revoke(grantId: string): Grant
  /** Resolves with the next change, or at this time by the server's clock; false then. */
  changed(latest: Millis, signal?: AbortSignal): Promise<boolean>
  /** The same for whoever shows them to a person. */
  watched(latest: Millis, signal?: AbortSignal): Promise<boolean>
}
