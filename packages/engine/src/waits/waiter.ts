/** One wait in flight. It settles exactly once: by a condition, the exit, the deadline or its caller going away. */

import type { Clock, Millis, Stop } from '@agentpty/protocol'
import type { Ending } from '@agentpty/protocol/call'
import type { Evaluation } from './evaluate.ts'

export interface WaiterOptions {
  readonly clock: Clock
  readonly evaluate: (now: Millis) => Evaluation
  readonly signal: AbortSignal | undefined
  /** Gets a function that cancels the wait. */
  readonly cancelWith?: ((cancel: () => void) => void) | undefined
  /** Called once, right before `ending` resolves. */
  readonly settled: (waiter: Waiter) => void
}

export class Waiter {
  readonly ending: Promise<Ending>
  readonly #options: WaiterOptions
  readonly #onAbort = () => this.#settle({ outcome: 'cancelled' })
  #resolve: (ending: Ending) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #cancelTimer: Stop = () => {}
  #timerAt: Millis = Number.POSITIVE_INFINITY
  #isSettled = false

  constructor(options: WaiterOptions) {
    this.#options = options
    this.ending = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
    options.cancelWith?.(this.#onAbort)
    if (options.signal?.aborted) this.#onAbort()
  }

  /** Something may have changed. */
  recheck(): void {
    if (this.#isSettled) return
    try {
      const evaluation = this.#options.evaluate(this.#options.clock.now())
      if (evaluation.ending !== null) this.#settle(evaluation.ending)
      else this.#recheckAt(evaluation.recheckAt)
    } catch (error) {
      // A condition that cannot be evaluated (a pattern that never ends) fails its own call and no other.
      this.#finish()
      this.#reject(error)
    }
  }

  /** Its session goes away: nothing is reported any more. */
  abandon(): void {
    if (!this.#isSettled) this.#finish()
  }

  /** A timer that is due before stays: to check once more costs less than a timer for each piece of news. */
  #recheckAt(at: Millis): void {
    if (this.#timerAt <= at) return
    this.#cancelTimer()
    this.#timerAt = at
    this.#cancelTimer = this.#options.clock.callAt(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.recheck()
    })
  }

  #settle(ending: Ending): void {
    if (this.#isSettled) return
    this.#finish()
    this.#resolve(ending)
  }

  #finish(): void {
    this.#isSettled = true
    this.#cancelTimer()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#options.settled(this)
  }
}
