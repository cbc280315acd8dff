/** The clock of one process: when the process has been killed, none of its timers fires any more. */

import type { Clock, Millis } from '@agentpty/protocol'

export class ProcessClock implements Clock {
  readonly #clock: Clock
  readonly #pending = new Set<() => void>()
  #isAlive = true

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): Millis {
    return this.#clock.now()
  }

  wall(): number {
    return this.#clock.wall()
  }

  callAt(at: Millis, call: () => void): () => void {
    if (!this.#isAlive) return () => {}
    const cancelTimer = this.#clock.callAt(at, () => {
      this.#pending.delete(cancel)
      call()
    })
    const cancel = () => {
      this.#pending.delete(cancel)
      cancelTimer()
    }
    this.#pending.add(cancel)
    return cancel
  }

  /** How many calls are still to come. */
  get pending(): number {
    return this.#pending.size
  }

  stop(): void {
    this.#isAlive = false
    for (const cancel of [...this.#pending]) cancel()
  }
}
