/** Keeps what a verdict is judged from: the latest facts, and since when the waiting thread has rested unbroken. */

import type { Facts } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'

export class TurnTracker {
  #facts: Facts | null = null
  #restingSince = { host: 0, own: 0 }
  /** Null: not known how the host counts (a session we found, or input that was dropped). */
  #inputSent: number | null
  #lastInputAt: Millis = 0

  constructor(options: { readonly isFresh: boolean }) {
    this.#inputSent = options.isFresh ? 0 : null
  }

  get facts(): Facts | null {
    return this.#facts
  }

  get restingSince(): { readonly host: Millis; readonly own: Millis } {
    return this.#restingSince
  }

  get lastInputAt(): Millis {
    return this.#lastInputAt
  }

  sent(bytes: number, now: Millis): void {
    if (this.#inputSent !== null) this.#inputSent += bytes
    this.#facts = null
    this.#lastInputAt = now
  }

  inputDropped(): void {
    this.#inputSent = null
  }

  /** Facts that were read before the last input reached the terminal are of no use any more. */
  learn(facts: Facts, now: Millis): void {
    this.#inputSent ??= facts.inputWritten
    if (facts.inputWritten < this.#inputSent && !facts.inputPending) return
    const known = this.#facts
    const restsOn =
      known !== null &&
      known.waiterThread === facts.waiterThread &&
      known.slices === facts.slices &&
      known.wait === facts.wait &&
      known.foreground === facts.foreground &&
      known.state === facts.state
    if (!restsOn) this.#restingSince = { host: facts.at, own: now }
    this.#facts = facts
  }

  forget(): void {
    this.#facts = null
  }
}
