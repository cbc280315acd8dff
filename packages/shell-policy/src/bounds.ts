/** How much work one judgement may be; whoever passes a bound is told once for each. */

import { isBeyondBounds } from './source-text.ts'

const stepsMax = 10_000 // statements, simple commands and turns of loops of one judgement
const depthMax = 80 // programs within programs and blocks within blocks
const codeBytesMax = 100_000 // of one program's text, and twice that of all its parts

export class Bounds {
  readonly #tooMuch: () => void
  #steps = 0
  #depth = 0
  #codeBytes = 0

  constructor(tooMuch: () => void) {
    this.#tooMuch = tooMuch
  }

  /** Counts one step; false when there were too many. */
  mayGoOn(): boolean {
    if (this.#steps > stepsMax) return false
    if (++this.#steps > stepsMax) this.#tooMuch()
    return this.#steps <= stepsMax
  }

  deeper<Result>(step: () => Result, otherwise: Result): Result {
    if (this.#depth >= depthMax) {
      this.#tooMuch()
      return otherwise
    }
    this.#depth++
    const result = step()
    this.#depth--
    return result
  }

  /** Counts a program's text; false when it is too long, by itself or with the others. */
  isWithin(source: string): boolean {
    this.#codeBytes += source.length
    const isWithin = !isBeyondBounds(source) && source.length <= codeBytesMax && this.#codeBytes <= 2 * codeBytesMax
    if (!isWithin) this.#tooMuch()
    return isWithin
  }
}
