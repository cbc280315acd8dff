/** A text without some of its parts, in which is known where each character stood. */

interface LeftOut {
  /** Index in the whole text after the part that was left out. */
  readonly next: number
  /** How much was left out up to there. */
  readonly length: number
}

export class ReducedText {
  readonly text: string
  readonly #whole: string
  readonly #pattern: RegExp
  #leftOut: readonly LeftOut[] | null = null

  /** `pattern` is global and matches no empty text. */
  constructor(whole: string, pattern: RegExp) {
    this.#whole = whole
    this.#pattern = pattern
    this.text = whole.replaceAll(pattern, '')
  }

  /** Where the character stood in the whole text. */
  at(index: number): number {
    this.#leftOut ??= this.#measured()
    let [low, high] = [0, this.#leftOut.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const { next = 0, length = 0 } = this.#leftOut[middle] ?? {}
      if (next - length <= index) low = middle + 1
      else high = middle
    }
    return index + (this.#leftOut[low - 1]?.length ?? 0)
  }

  #measured(): readonly LeftOut[] {
    let length = 0
    return Array.from(this.#whole.matchAll(this.#pattern), (found) => {
      length += found[0].length
      return { next: found.index + found[0].length, length }
    })
  }
}
