/**
 * The input typed in one line of a screen, and how much of it the screen shows. Each key changes the text to the next one. The screen shows
 * one of these texts; the prediction is the difference between that text and the last.
 */

export interface ShownLine {
  readonly row: number
  /** The column of the cursor. */
  readonly col: number
  /** The text of the row, one cell each; trailing blanks may be missing. */
  readonly text: string
}

export interface Prediction {
  readonly row: number
  readonly col: number
  /** The text drawn over the row. */
  readonly text: string
}

/** The maximum number of predicted keys. Later keys are shown when they arrive. */
const keysMax = 256

export class PredictedLine {
  readonly #row: number
  readonly #col: number
  /** The text after each key; the first is the text before any key. */
  #texts: string[] = ['']
  /** The index of the text that the screen shows. */
  #shown = 0

  /** Starts at the cursor. */
  constructor({ row, col }: ShownLine) {
    this.#row = row
    this.#col = col
  }

  /** The number of keys that the screen does not show yet. */
  get pending(): number {
    return this.#texts.length - 1 - this.#shown
  }

  /** Adds a letter, or deletes the last one for null. Returns false if the effect cannot be predicted. */
  key(letter: string | null, cols: number): boolean {
    const now = this.#texts.at(-1) ?? ''
    if (letter === null && now === '') return false
    const next = letter === null ? now.slice(0, -1) : now + letter
    if (this.#col + next.length >= cols || this.pending >= keysMax) return false
    this.#texts.push(next)
    return true
  }

  /** Matches the screen. Returns false if the keys cannot produce what it shows. */
  seen(line: ShownLine): boolean {
    for (let at = this.#texts.length - 1; at >= this.#shown; at--) {
      if (!this.#isAt(line, this.#texts[at] ?? '')) continue
      this.#shown = at
      this.#forgetOld()
      return true
    }
    return false
  }

  /** Null if the screen shows all of it. */
  get prediction(): Prediction | null {
    const [shown = '', last = ''] = [this.#texts[this.#shown], this.#texts.at(-1)]
    if (this.pending === 0 || shown === last) return null
    let same = 0
    while (same < shown.length && shown[same] === last[same]) same++
    const text = last.slice(same) + ' '.repeat(Math.max(0, shown.length - last.length))
    return { row: this.#row, col: this.#col + same, text }
  }

  /** The future column of the cursor. */
  get cursorCol(): number {
    return this.#col + (this.#texts.at(-1) ?? '').length
  }

  #isAt({ row, col, text }: ShownLine, want: string): boolean {
    if (row !== this.#row || col !== this.#col + want.length) return false
    return text.slice(this.#col, col).padEnd(want.length, ' ') === want
  }

  /** Drops texts before the shown one, which cannot recur. */
  #forgetOld(): void {
    this.#texts = this.#texts.slice(this.#shown)
    this.#shown = 0
  }
}
