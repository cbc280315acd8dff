/** Time that passes only when a test says so. */

import type { Clock, Stop } from '../ports.ts'
import type { Millis } from '../units.ts'

interface Timer {
  readonly at: Millis
  readonly call: () => void
}

export class FakeClock implements Clock {
  #now: Millis = 10_000
  #wallShift: Millis = 0
  #timers: Timer[] = []

  now(): Millis {
    return this.#now
  }

  wall(): number {
    return 1_700_000_000_000 + this.#wallShift + this.#now
  }

  /** Simulates a change of the system's time of day. */
  jumpWall(ms: Millis): void {
    this.#wallShift += ms
  }

  callAt(at: Millis, call: () => void): Stop {
    const timer = { at, call }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  get pending(): number {
    return this.#timers.length
  }

  /** When the next call is due; null when none is to come. */
  get nextAt(): Millis | null {
    return this.#next(Number.POSITIVE_INFINITY)?.at ?? null
  }

  /** Lets time pass; what falls due on the way is called in order, each at its own moment. */
  advance(ms: Millis): void {
    const end = this.#now + ms
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      const called = due
      this.#timers = this.#timers.filter((one) => one !== called)
      this.#now = Math.max(this.#now, called.at)
      called.call()
    }
    this.#now = end
  }

  #next(end: Millis): Timer | undefined {
    const due = this.#timers.filter(({ at }) => at <= end)
    return due.reduce<Timer | undefined>(
      (first, one) => (first === undefined || one.at < first.at ? one : first),
      undefined,
    )
  }
}
