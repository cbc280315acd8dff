/** Waiting within a call: for what its caller asked, no longer than a call can last, with progress while it waits. */

import type { Session } from '@agentpty/engine/session'
import { checkPattern } from '@agentpty/engine/waits'
import { type Clock, defined, type Millis, type Offset, type Stop, TermError, waitMsMax } from '@agentpty/protocol'
import { type CallContext, type Condition, type Ending, toConditions, type WaitFor } from '@agentpty/protocol/call'

/** How often a waiting call reports progress, in ms. */
const progressEveryMs = 2_000

export interface WaitInput {
  readonly waitFor?: WaitFor | undefined
  readonly waitForString?: string | undefined
  readonly waitForOutput?: boolean | undefined
  readonly waitTimeoutMs: Millis
}

/** The conditions of a call. The named ones of older tools add to `waitFor`; the default holds only without any. */
export function conditionsOf(input: WaitInput, otherwise: WaitFor): readonly Condition[] {
  const named: Condition[] = []
  if (input.waitForString !== undefined) named.push({ kind: 'text', text: input.waitForString })
  if (input.waitForOutput) named.push({ kind: 'output' })
  const asked = input.waitFor === undefined ? [] : toConditions(input.waitFor)
  const conditions = [...named, ...asked]
  for (const condition of conditions) if (condition.kind === 'pattern') checkPattern(condition.pattern)
  return conditions.length > 0 || input.waitFor !== undefined ? conditions : toConditions(otherwise)
}

/** No call outlasts its client's time limit, however long a wait was asked for. */
export function waitMs(input: WaitInput, context: CallContext): number {
  return Math.min(input.waitTimeoutMs, context.waitMsMax ?? waitMsMax)
}

export interface CallWait {
  readonly conditions: readonly Condition[]
  readonly since: Offset
  readonly typed?: string
  readonly timeoutMs: number
}

/** Waits, reporting progress. Errors: `cancelled` when the caller took its call back. */
export async function waitFor(
  clock: Clock,
  session: Session,
  wait: CallWait,
  context: CallContext,
  /** Is handed what ends the wait as the caller's own signal does. */
  cancelWith?: (cancel: () => void) => void,
): Promise<Ending | null> {
  if (wait.conditions.length === 0) return null
  assertMarks(session, wait.conditions)
  const begun = clock.now()
  const stopProgress = reportProgress(clock, begun, wait.timeoutMs, context)
  const held = new EndAtHeldCall(session)
  try {
    const ending = await session.wait({
      conditions: wait.conditions,
      since: wait.since,
      ...defined({ typed: wait.typed }),
      deadline: begun + wait.timeoutMs,
      signal: context.signal,
      cancelWith: (cancel) => {
        held.endWith(cancel)
        cancelWith?.(cancel)
      },
    })
    if (ending.outcome === 'cancelled' && held.hasEnded) {
      session.heldCalls.report()
      return { outcome: 'needs_approval', verdict: session.turn().verdict }
    }
    if (ending.outcome === 'cancelled') throw cancelled()
    return ending
  } finally {
    stopProgress()
    held.stop()
  }
}

/** Ends a wait when a call is held that no result has named: an answer may take long, and the caller has other moves. */
class EndAtHeldCall {
  readonly #session: Session
  #stop: Stop = () => {}
  hasEnded = false

  constructor(session: Session) {
    this.#session = session
  }

  endWith(cancel: () => void): void {
    const end = () => {
      this.hasEnded = true
      cancel()
    }
    const { heldCalls } = this.#session
    if (heldCalls.hasUnreported) queueMicrotask(end)
    else this.#stop = heldCalls.onAdded(end)
  }

  stop(): void {
    this.#stop()
  }
}

export function cancelled(): TermError {
  return new TermError(
    'cancelled',
    'The call was cancelled.',
    'The terminal goes on; call terminal_read to see where it is.',
  )
}

export function reportProgress(clock: Clock, begun: number, totalMs: number, { progress }: CallContext): Stop {
  if (progress === undefined) return () => {}
  let stop: Stop = () => {}
  const next = () => {
    stop = clock.callAt(clock.now() + progressEveryMs, () => {
      progress(clock.now() - begun, totalMs)
      next()
    })
  }
  next()
  return () => stop()
}

/** Waiting for a shell command in something that marks none would always end in a time-out. */
export function assertMarks({ info, commands }: Session, conditions: readonly Condition[]): void {
  if (info.shell === null && !commands.integrated) assertNoCommand(`${info.id} runs ${info.argv[0]}`, conditions)
}

/** The same of a program that is not started yet. Errors: `not_a_shell`. */
export function assertNoCommand(what: string, conditions: readonly Condition[]): void {
  if (conditions.length !== 1 || conditions[0]?.kind !== 'command') return
  throw new TermError(
    'not_a_shell',
    `${what}, not a shell that marks its commands.`,
    'Wait for "ready", "exit" or a text instead.',
  )
}
