/**
 * How many calls of clients that ask much are begun at once. What a call will need is not known before; one that is not
 * answered soon waits for something, and needs little while it does. So only young calls count.
 */

import { youngCallMs, youngCallsMax } from '../../contracts/limits.ts'
import type { Clock, Stop } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'

export class CallGate {
  readonly #clock: Clock
  /** When each call was begun that is not answered, the oldest first. */
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

  /** Calls when another one may begin: one after the other, and what has come meanwhile is read before. */
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
