/**
 * Keeps what a verdict is judged from: the latest facts, since when the waiting thread has rested unbroken, and how the
 * program waited the last time it was its caller's turn.
 *
 * Facts that were read before the last input reached the terminal are of no use: they show the wait that the input has
 * just ended. They are told from newer ones by the host's own count of the input.
 */

import type { Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import { type Rest, type RestStart, restOf } from './rest.ts'

export class TurnTracker {
  #facts: Facts | null = null
  /** The last facts that somebody saw, also when they are of no use any more: a rest is told by them. */
  #seen: Facts | null = null
  #restingSince: RestStart = { host: 0, own: 0 }
  #lastRest: Rest | null = null
  /** Pieces of input that have not reached the terminal, as far as we have been told. */
  #pieces = 0
  #inputWritten = 0
  #lastInputAt: Millis = 0
  #consumedAt: Millis | null = null

  get facts(): Facts | null {
    return this.#facts
  }

  get restingSince(): RestStart {
    return this.#restingSince
  }

  get lastRest(): Rest | null {
    return this.#lastRest
  }

  get lastInputAt(): Millis {
    return this.#lastInputAt
  }

  /** When it was first known that the program has taken the last input; null while it is not. */
  get consumedAt(): Millis | null {
    return this.#consumedAt
  }

  /** Input is on its way, in so many pieces. */
  sent(pieces: number, now: Millis): void {
    this.#pieces += pieces
    this.#facts = this.#seen = null
    this.#lastInputAt = now
    this.#consumedAt = null
  }

  /** A piece has reached the terminal or was dropped. */
  written(inputWritten: number): void {
    this.#pieces = Math.max(0, this.#pieces - 1)
    this.#inputWritten = inputWritten
    this.#facts = this.#seen = null
  }

  /** The host refused so many pieces. */
  refused(pieces: number): void {
    this.#pieces = Math.max(0, this.#pieces - pieces)
  }

  learn(facts: Facts, now: Millis): void {
    const isOlder = this.#pieces > 0 || facts.inputWritten < this.#inputWritten
    if (isOlder && !facts.inputPending) return
    const known = this.#seen
    const restsOn =
      known !== null &&
      known.waiterThread === facts.waiterThread &&
      known.slices === facts.slices &&
      known.wait === facts.wait &&
      known.foreground === facts.foreground &&
      known.state === facts.state
    if (!restsOn) this.#restingSince = { host: facts.at, own: now }
    this.#facts = this.#seen = facts
    if (facts.consumed) this.#consumedAt ??= now
  }

  /** It is the caller's turn: this is how the program looks when it waits. Null when nobody is seen waiting. */
  restOf(asked: boolean, kind: Kind | null): Rest | null {
    const facts = this.#facts
    return facts && restOf({ facts, restingSince: this.#restingSince, asked, kind }, this.#lastRest)
  }

  /** The program has rested like that until it had input or wrote more. */
  rested(rest: Rest): void {
    this.#lastRest = rest
  }

  /** What was seen may not hold any more. Of a thread that waited its count of slices will tell whether it still rests. */
  forget(): void {
    if (this.#facts?.wait === 'none') this.#seen = null
    this.#facts = null
  }
}
