/** How much work one judgement may be; each bound that is passed is reported once. */

import { isBeyondBounds } from '../lex/source-text.ts'
import type { Expander } from './expand.ts'

const stepsMax = 10_000 // statements, simple commands and turns of loops of one judgement
export const depthMax = 80 // programs within programs and blocks within blocks
const codeBytesMax = 100_000 // of one program's text, and twice that of all its parts

export class Bounds {
  #steps = 0
  #codeBytes = 0

  /** Counts one step; false when there were too many. */
  mayGoOn(reporter: Pick<Expander, 'tooMuch'>): boolean {
    if (this.#steps > stepsMax) return false
    if (++this.#steps > stepsMax) reporter.tooMuch()
    return this.#steps <= stepsMax
  }

  /** Counts a program's text; false when it is too long, by itself or with the others. */
  isWithin(source: string, reporter: Pick<Expander, 'tooMuch'>): boolean {
    this.#codeBytes += source.length
    const isWithin = !isBeyondBounds(source) && source.length <= codeBytesMax && this.#codeBytes <= 2 * codeBytesMax
    if (!isWithin) reporter.tooMuch()
    return isWithin
  }
}
