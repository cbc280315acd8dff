/** What the guard of calls and the verbs need of the approvals. */

import type { Millis } from '../units.ts'
import type { Approval, ApprovalRequest } from './approval.ts'

export interface ApprovalQueue {
  /** Somebody looks what comes: an answer may come soon. */
  readonly isWatched: boolean
  /** The newest last. */
  list(): readonly Approval[]
  /** Asks a person, once for the same wish; an answer counts for `keptMs`. Errors: `limit_reached`. */
  ask(key: string, request: ApprovalRequest, keptMs?: Millis): Approval
  /** The newest answer that still counts for this wish; an `allowed` one counts only once, and is spent by this. */
  answerTo(key: string): 'allowed' | 'denied' | null
  /** The first answer counts. Errors: `not_asking` when there is one, when it came too late, or when nobody has asked. */
  decide(approvalId: string, answer: { readonly isAllowed: boolean; readonly by: string }): Approval
  /** Resolves with the next change, or at this time by the server's clock; false then. */
  changed(latest: Millis, signal?: AbortSignal): Promise<boolean>
  /** The same for whoever shows them to a person. */
  watched(latest: Millis, signal?: AbortSignal): Promise<boolean>
}
