/**
 * Tells listeners when the verdict changes, and when one that was weak is confirmed or taken back. Costs nothing while
 * nobody listens.
 */

import type { Clock } from '../../contracts/ports.ts'
import type { Verdict } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import type { TurnAnswer } from './judge-turn.ts'

/** `heldMs`: how long the verdict has held. */
export type TurnListener = (verdict: Verdict, heldMs: Millis) => void

export class TurnFeed {
  readonly #clock: Clock
  readonly #judge: () => TurnAnswer
  readonly #listeners = new Set<TurnListener>()
  #told: Verdict | null = null
  #cancelTimer: () => void = () => {}
  #timerAt: Millis = Number.POSITIVE_INFINITY

  constructor(clock: Clock, judge: () => TurnAnswer) {
    this.#clock = clock
    this.#judge = judge
  }

  /** Tells the verdict as it is now, then each change, until the answer is called. */
  listen(listener: TurnListener): () => void {
    this.#listeners.add(listener)
    this.#told = null
    this.look()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#cancelTimer()
    }
  }

  /** Something may have changed. */
  look(): void {
    if (this.#listeners.size === 0) return
    const { verdict, recheckAt } = this.#judge()
    this.#lookAgainAt(recheckAt)
    if (this.#told !== null && isSame(this.#told, verdict)) return
    this.#told = verdict
    const heldMs = this.#clock.now() - verdict.since
    for (const listener of this.#listeners) listener(verdict, heldMs)
  }

  #lookAgainAt(at: Millis | null): void {
    if (at === null || this.#timerAt === at) return
    this.#cancelTimer()
    this.#timerAt = at
    this.#cancelTimer = this.#clock.callAt(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.look()
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
