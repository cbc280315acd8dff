/**
 * What crowds that follow terminals from a screen on are sent in bytes, together: a flood that many watch would else be sent as many
 * times, and its program and all other terminals would wait for that.
 */

import type { Clock, Millis } from '@agentpty/protocol'
import { crowdBurstBytes, crowdBytesPerSecond } from '@agentpty/protocol/session'

/** What a follower may be sent in bytes. */
export interface Ration {
  readonly isSpent: boolean
  spend(bytes: number): void
}

export class CrowdBudget implements Ration {
  readonly #clock: Clock
  #left = crowdBurstBytes
  #filledAt: Millis

  constructor(clock: Clock) {
    this.#clock = clock
    this.#filledAt = clock.now()
  }

  get isSpent(): boolean {
    const now = this.#clock.now()
    const refilled = this.#left + ((now - this.#filledAt) / 1_000) * crowdBytesPerSecond
    this.#left = Math.min(crowdBurstBytes, refilled)
    this.#filledAt = now
    return this.#left <= 0
  }

  spend(bytes: number): void {
    this.#left -= bytes
  }
}
