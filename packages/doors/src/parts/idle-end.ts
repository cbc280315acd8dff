/** Ends what nobody has used for a while. */

import type { Clock, Millis, Stop } from '@agentpty/protocol'

export class IdleEnd {
  readonly #clock: Clock
  readonly #idleMs: Millis
  readonly #end: () => void
  #users = 0
  #stopTimer: Stop = () => {}

  constructor(clock: Clock, idleMs: Millis, end: () => void) {
    this.#clock = clock
    this.#idleMs = idleMs
    this.#end = end
  }

  /** It is in use until the work is done; the time counts from then on. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#users++
    this.#stopTimer()
    try {
      return await work()
    } finally {
      this.#users--
      if (this.#users === 0) this.#stopTimer = this.#clock.callAt(this.#clock.now() + this.#idleMs, this.#end)
    }
  }

  /** It has ended by itself. */
  stop(): void {
    this.#stopTimer()
  }
}
