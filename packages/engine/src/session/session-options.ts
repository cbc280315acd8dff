/** The parts that a session is made of, and the options of a wait on it. */

import type { Clock, KeptSession, Millis, Offset, Pty } from '@agentpty/protocol'
import type { Condition } from '@agentpty/protocol/call'
import type { GateMessage } from '@agentpty/protocol/effects'
import type { SessionInfo } from '@agentpty/protocol/session'
import type { Resize } from './lazy-screen.ts'
import type { CrowdBudget } from './session-follower.ts'

export interface SessionOptions {
  readonly clock: Clock
  readonly pty: Pty
  readonly info: SessionInfo
  readonly pid: number
  /** Sizes so far, oldest first. */
  readonly sizes: readonly Resize[]
  /** Output before it is gone. 0 for a new session. */
  readonly start: Offset
  /** The output that was there when this engine found the session; null for a new one. */
  readonly history: History | null
  readonly version: string
  /** The nonce that its shell was started with; without it, it is read from the process. */
  readonly nonce?: string
  /** The budget of all sessions together; without it the session has one of its own. */
  readonly crowdBudget?: CrowdBudget
  /** Called with each message of its gate. */
  readonly gateReports?: (message: GateMessage) => void
  /** Called with the time that each verdict took to judge. */
  readonly spent?: (ms: Millis) => void
}

/** Output before `end` was there already: the questions in it have been answered. */
export type History = Pick<KeptSession, 'end' | 'exited'> & Partial<Pick<KeptSession, 'exitedAt' | 'moments'>>

export interface WaitOptions {
  readonly conditions: readonly Condition[]
  readonly since: Offset
  /** The text that the caller typed: its echo does not satisfy text and pattern conditions. */
  readonly typed?: string
  readonly deadline: Millis
  readonly signal?: AbortSignal | undefined
  /** Gets a function that cancels the wait, because a signal would cost more than the rest of a short wait. */
  readonly cancelWith?: ((cancel: () => void) => void) | undefined
}
