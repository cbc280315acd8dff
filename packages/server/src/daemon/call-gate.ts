/**
 * Bounds how many calls of clients with several open calls are begun at once. The cost of a call is not known before;
 * one that is not answered soon waits for something and costs little meanwhile, so only young calls count.
 */

import { type Clock, type Millis, type Stop, youngCallMs, youngCallsMax } from '@agentpty/protocol'

export class CallGate {
  readonly #clock: Clock
  /** Calls without an answer and when each was begun, the oldest first. */
  readonly #young = new Set<{ readonly begunAt: Millis }>()
  #waiting: (() => void)[] = []
  #isChecking = false
  #isArmed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isFull(): boolean {
    for (const call of this.#young) {
      if (this.#clock.now() - call.begunAt < youngCallMs) break
      this.#young.delete(call)
    }
    return this.#young.size >= youngCallsMax
  }

  /** A call begins; returns a function that ends it. */
  enter(): Stop {
    const call = { begunAt: this.#clock.now() }
    this.#young.add(call)
    return () => {
      this.#young.delete(call)
      this.#checkSoon()
    }
  }

  /** Calls when another call may begin: one after the other, and input that has come meanwhile is read first. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    this.#checkSoon()
  }

  #checkSoon(): void {
    if (this.#isChecking || this.#waiting.length === 0) return
    this.#isChecking = true
    setImmediate(() => {
      if (!this.isFull) this.#waiting.shift()?.()
      this.#isChecking = false
      if (this.isFull) this.#checkWhenOld()
      else this.#checkSoon()
    })
  }

  /** The oldest call may only be waiting for something: it stops counting once it is old. */
  #checkWhenOld(): void {
    const [oldest] = this.#young
    if (oldest === undefined || this.#waiting.length === 0 || this.#isArmed) return
    this.#isArmed = true
    this.#clock.callAt(oldest.begunAt + youngCallMs, () => {
      this.#isArmed = false
      this.#checkSoon()
    })
  }
}
