/**
 * Sends listeners the verdict when it changes, and when one that was weak is confirmed or revoked. Costs nothing
 * without listeners.
 */

import type { Clock, Millis, Stop } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import type { TurnAnswer } from './judge-turn.ts'

/** `heldMs`: how long the verdict has held. */
export type TurnListener = (verdict: Verdict, heldMs: Millis) => void

export class TurnFeed {
  readonly #clock: Clock
  /** Called when time alone may have changed the verdict: the owner of the feed judges, and publishes. */
  readonly #recheck: () => void
  readonly #listeners = new Set<TurnListener>()
  #published: Verdict | null = null
  #cancelTimer: Stop = () => {}
  #timerAt: Millis = Number.POSITIVE_INFINITY

  constructor(clock: Clock, recheck: () => void) {
    this.#clock = clock
    this.#recheck = recheck
  }

  /** Whether there are listeners: without them the turn need not be judged. */
  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** Sends the listener the current verdict, then each change. Returns a function that ends this. */
  listen(listener: TurnListener, now: TurnAnswer): Stop {
    this.#listeners.add(listener)
    this.#published = null
    this.publish(now)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stopTimer()
    }
  }

  publish({ verdict, recheckAt }: TurnAnswer): void {
    this.#recheckAt(recheckAt)
    if (this.#published !== null && isSame(this.#published, verdict)) return
    this.#published = verdict
    const heldMs = this.#clock.now() - verdict.since
    for (const listener of this.#listeners) listener(verdict, heldMs)
  }

  #stopTimer(): void {
    this.#cancelTimer()
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** A timer that is due before stays: it judges once more. */
  #recheckAt(at: Millis | null): void {
    if (at === null || this.#timerAt <= at) return
    this.#stopTimer()
    this.#timerAt = at
    this.#cancelTimer = this.#clock.callAt(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#recheck()
    })
  }
}

function isSame(a: Verdict, b: Verdict): boolean {
  return (
    a.state === b.state &&
    a.kind === b.kind &&
    a.confidence === b.confidence &&
    a.needs === b.needs &&
    a.question === b.question
  )
}
