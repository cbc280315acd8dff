/**
 * What somebody has typed in one line of a screen, and how far the screen has come with it. Each key leads from one text to the next; the
 * screen shows one of these texts from where the line began, and what is predicted is the difference between that and the last.
 */

export interface ShownLine {
  readonly row: number
  /** Of the cursor. */
  readonly col: number
  /** What stands in the row, a cell each; blanks at its end may be missing. */
  readonly text: string
}

export interface Prediction {
  readonly row: number
  readonly col: number
  /** Drawn over what stands there. */
  readonly text: string
}

/** A line is short; who types more ahead than this sees it when it comes. */
const keysMax = 256

export class PredictedLine {
  readonly #row: number
  readonly #col: number
  /** After each key; the first is before any. */
  #texts: string[] = ['']
  /** Which of them the screen shows. */
  #shown = 0

  /** Begins at the cursor. */
  constructor({ row, col }: ShownLine) {
    this.#row = row
    this.#col = col
  }

  /** Keys on their way that the screen does not show yet. */
  get pending(): number {
    return this.#texts.length - 1 - this.#shown
  }

  /** A letter, or null to take the last one back. False: what it does cannot be told. */
  key(letter: string | null, cols: number): boolean {
    const now = this.#texts.at(-1) ?? ''
    if (letter === null && now === '') return false
    const next = letter === null ? now.slice(0, -1) : now + letter
    if (this.#col + next.length >= cols || this.pending >= keysMax) return false
    this.#texts.push(next)
    return true
  }

  /** The screen has come on. False: it shows what no key of these leads to. */
  seen(line: ShownLine): boolean {
    for (let at = this.#texts.length - 1; at >= this.#shown; at--) {
      if (!this.#isAt(line, this.#texts[at] ?? '')) continue
      this.#shown = at
      this.#forgetOld()
      return true
    }
    return false
  }

  /** Null when the screen shows all of it. */
  get prediction(): Prediction | null {
    const [shown = '', last = ''] = [this.#texts[this.#shown], this.#texts.at(-1)]
    if (this.pending === 0 || shown === last) return null
    let same = 0
    while (same < shown.length && shown[same] === last[same]) same++
    const text = last.slice(same) + ' '.repeat(Math.max(0, shown.length - last.length))
    return { row: this.#row, col: this.#col + same, text }
  }

  /** Where the cursor will be. */
  get cursorCol(): number {
    return this.#col + (this.#texts.at(-1) ?? '').length
  }

  #isAt({ row, col, text }: ShownLine, want: string): boolean {
    if (row !== this.#row || col !== this.#col + want.length) return false
    return text.slice(this.#col, col).padEnd(want.length, ' ') === want
  }

  /** Texts that the screen has left behind do not come again. */
  #forgetOld(): void {
    this.#texts = this.#texts.slice(this.#shown)
    this.#shown = 0
  }
}
