/** The end of a wait that may take several calls, because the length of one call is bounded. */

import { type Clock, waitMsMax } from '@agentpty/protocol'

export class Deadline {
  readonly #clock: Pick<Clock, 'now'>
  readonly #at: number

  /** Without a time-out it takes as long as it takes. */
  constructor(clock: Pick<Clock, 'now'>, timeoutMs: number | undefined) {
    this.#clock = clock
    this.#at = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  }

  get isPast(): boolean {
    return this.#clock.now() >= this.#at
  }

  /** How long the next call may wait. */
  nextMs(): number {
    return Math.ceil(Math.max(0, Math.min(waitMsMax, this.#at - this.#clock.now())))
  }
}
