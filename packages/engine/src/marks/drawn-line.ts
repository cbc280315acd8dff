/**
 * Reads the line of a command from the bytes with which a line editor has drawn it.
 *
 * An editor moves the cursor and overwrites: after a recalled or corrected line, the drawn characters in their order are not the line.
 * A line that the terminal has wrapped is one row here.
 */

import { sequence } from '@agentpty/protocol/escapes'

/** A sequence, a control character, or a printed character. */
const piece = new RegExp(`${sequence}|[\\s\\S]`, 'gu')
const cursorSequence = /^\x1b\[(\d*)([@-Z`a-ln-z])$/
/** Characters of one column that lines and prompts often have. Others may take two columns, or none. */
const narrow = /^[ -~\xa0-\u02ff\u0370-\u0482\u2010-\u203f\u2190-\u21ff\u2500-\u25a0\u276e\u276f\ue000-\uf8ff]$/
const controlWithoutMove = /^[\x00-\x07\x0e-\x1f\x7f]$/
/** Larger moves than the widest terminal do not occur. */
const moveMax = 1_000

class DrawnRows {
  readonly #width: number
  #row: string[] = []
  readonly rows: string[][] = [this.#row]
  /** The row on the screen, counted from the begin of the line that was wrapped there. */
  #line = 0
  /** Equals the width behind the last column: the next character wraps. */
  #column = 0

  constructor(width: number) {
    this.#width = width
  }

  get #lastLine(): number {
    return Math.max(0, Math.ceil(this.#row.length / this.#width) - 1)
  }

  get position(): number {
    return this.#line * this.#width + this.#column
  }

  print(character: string): void {
    if (this.#column === this.#width) {
      this.#line += 1
      this.#column = 0
    }
    this.#fill()
    this.#row[this.position] = character
    this.#column += 1
  }

  lineFeed(): void {
    this.#stay()
    if (this.#line < this.#lastLine) this.#line += 1
    else {
      this.#row = []
      this.rows.push(this.#row)
      this.#line = 0
    }
  }

  toColumn(column: number): void {
    this.#column = Math.min(Math.max(0, column), this.#width - 1)
  }

  move(columns: number): void {
    this.#stay()
    this.toColumn(this.#column + columns)
  }

  /** Returns false where the cursor leaves the line. */
  moveLines(lines: number): boolean {
    this.#stay()
    this.#line += lines
    return this.#line >= 0 && this.#line <= this.#lastLine
  }

  /** Replaces characters at the cursor by blanks before the rest of the row of the screen. */
  replace(removed: number, blanks: number): void {
    this.#stay()
    this.#fill()
    const end = (this.#line + 1) * this.#width
    const rest = this.#row.slice(this.position + removed, end)
    this.#putToEnd([...Array.from({ length: blanks }, () => ' '), ...rest])
  }

  /** Erases to the end of the row of the screen. */
  eraseRow(): void {
    this.#putToEnd([])
  }

  /** Erases to the end of the screen. */
  eraseBelow(): void {
    this.#row.splice(this.position)
  }

  #putToEnd(cells: readonly string[]): void {
    const length = this.#width - this.#column
    const isLast = this.#line >= this.#lastLine
    const blanks = Array.from({ length: isLast ? 0 : Math.max(0, length - cells.length) }, () => ' ')
    this.#row.splice(this.position, length, ...cells.slice(0, length), ...blanks)
  }

  /** Behind the last column, the cursor is shown in it. */
  #stay(): void {
    this.#column = Math.min(this.#column, this.#width - 1)
  }

  #fill(): void {
    while (this.#row.length < this.position) this.#row.push(' ')
  }
}

interface Drawing {
  /** The text of the prompt as it was printed, at least of its last row. */
  readonly prompt: string
  /** The text from the end of the prompt to the start of the command. */
  readonly drawn: string
  /** The columns of the terminal. */
  readonly width: number
}

/**
 * Returns the text that is shown after the prompt, without blanks at the end of a row. Null where the drawing cannot be followed.
 *
 * @example drawnLine({ prompt: '$ ', drawn: 'ecko a\b\b\b\bh', width: 80 }) // 'echo a'
 */
export function drawnLine({ prompt, drawn, width }: Drawing): string | null {
  const rows = new DrawnRows(width)
  if (!draw(rows, prompt.slice(prompt.lastIndexOf('\n') + 1))) return null
  const from = rows.position
  if (!draw(rows, drawn)) return null
  const [first = [], ...rest] = rows.rows
  return [first.slice(from), ...rest].map((row) => row.join('').trimEnd()).join('\n')
}

/** Returns false at the first piece that cannot be followed. */
function draw(rows: DrawnRows, text: string): boolean {
  return Array.from(text.matchAll(piece), ([found]) => found).every((found) => {
    if (found.length > 1 && found.startsWith('\x1b')) return applySequence(rows, found)
    return applyCharacter(rows, found)
  })
}

function applyCharacter(rows: DrawnRows, character: string): boolean {
  if (character === '\n') rows.lineFeed()
  else if (character === '\r') rows.toColumn(0)
  else if (character === '\b') rows.move(-1)
  else if (narrow.test(character)) rows.print(character)
  else return controlWithoutMove.test(character)
  return true
}

/** Sequences that neither move nor erase are passed over. */
function applySequence(rows: DrawnRows, found: string): boolean {
  const [, parameter = '', letter] = cursorSequence.exec(found) ?? []
  if (letter === undefined) return true
  const count = Math.min(Math.max(1, Number(parameter)), moveMax)
  const isToEnd = Number(parameter) === 0
  switch (letter) {
    case 'A':
      return rows.moveLines(-count)
    case 'B':
      return rows.moveLines(count)
    case 'C':
      rows.move(count)
      return true
    case 'D':
      rows.move(-count)
      return true
    case '@':
      rows.replace(0, count)
      return true
    case 'P':
      rows.replace(count, 0)
      return true
    case 'J':
      rows.eraseBelow()
      return isToEnd
    case 'K':
      rows.eraseRow()
      return isToEnd
    default:
      return false
  }
}
