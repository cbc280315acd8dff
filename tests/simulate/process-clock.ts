/** The clock of one process: after the process was killed, none of its timers fires. */

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

  /** The number of pending calls. */
  get pending(): number {
    return this.#pending.size
  }

  stop(): void {
    this.#isAlive = false
    for (const cancel of [...this.#pending]) cancel()
  }
}
