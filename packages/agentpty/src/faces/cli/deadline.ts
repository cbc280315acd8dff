/** The end of a wait that may take several calls, because the length of one call is bounded. */

import { waitMsMax } from '../../contracts/limits.ts'

export class Deadline {
  readonly #now: () => number
  readonly #at: number

  /** Without a time-out it takes as long as it takes. */
  constructor(now: () => number, timeoutMs: number | undefined) {
    this.#now = now
    this.#at = now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  }

  get isPast(): boolean {
    return this.#now() >= this.#at
  }

  /** How long the next call may wait. */
  nextMs(): number {
    return Math.ceil(Math.max(0, Math.min(waitMsMax, this.#at - this.#now())))
  }
}
