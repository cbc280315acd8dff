/** How much of a session's output is drawn at a time: guessed from its sequences, corrected by the time it took. */

import { type Millis, parseSliceMicros, parseTurnMs, skimBytesMax } from '@agentpty/protocol'

/**
 * The first slice too: an emulator that has hardly run takes twenty times as long; slices have grown after six of them.
 */
const microsMin = 50
/** Where nothing could be passed over, the next search comes this many slices later, or fewer after a small piece. */
const slicesBetweenSkims = 8

export class SlicePace {
  #micros: number = microsMin
  #turnBegan: Millis | null = null
  #sliceBegan: Millis | null = null
  #slicesToSkim = 0

  /** Work of one slice. */
  get micros(): number {
    return this.#micros
  }

  get maySkim(): boolean {
    return this.#slicesToSkim <= 0
  }

  /** A turn begins at `now`, or when its first slice is drawn. */
  begin(now: Millis | null = null): void {
    this.#turnBegan = now
    this.#sliceBegan = now
  }

  skimmed(passedOver: number, searched: number): void {
    this.#slicesToSkim = passedOver > 0 ? 0 : Math.ceil((slicesBetweenSkims * searched) / skimBytesMax)
  }

  /** A slice has been drawn. Is the turn over? */
  sliced(now: Millis): boolean {
    this.#slicesToSkim -= 1
    if (this.#sliceBegan !== null) this.#learn((now - this.#sliceBegan) * 1_000)
    this.#sliceBegan = now
    this.#turnBegan ??= now
    return now - this.#turnBegan >= parseTurnMs / 2
  }

  #learn(micros: number): void {
    if (micros > 2 * parseSliceMicros) this.#micros = Math.max(microsMin, (this.#micros * parseSliceMicros) / micros)
    else if (micros < parseSliceMicros / 2) this.#micros = Math.min(parseSliceMicros, this.#micros * 2)
  }
}
