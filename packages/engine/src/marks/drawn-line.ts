/**
 * Reads the line of a command from the bytes with which a line editor has drawn it.
 *
 * An editor moves the cursor and overwrites: after a recalled or corrected line, the drawn characters in their order are not the line.
 * Rows that were wrapped by the terminal are one row here, because their width is not part of the bytes.
 */

import { sequence } from '@agentpty/protocol/escapes'

/** A sequence, a control character, or a printed character. */
const piece = new RegExp(`${sequence}|[\\s\\S]`, 'gu')
const cursorSequence = /^\x1b\[(\d*)([@-Z`a-ln-z])$/
/** Characters of one column that lines and prompts often have. Others may take two columns, or none. */
const narrow = /^[\t -~\xa0-\u02ff\u0370-\u0482\u2010-\u203f\u2190-\u21ff\u2500-\u25a0\u276e\u276f\ue000-\uf8ff]$/
/** Larger moves than the longest row do not occur. */
const columnsMovedMax = 4_096

class DrawnRows {
  readonly rows: string[][] = [[]]
  column = 0

  get row(): string[] {
    return this.rows[this.rows.length - 1] as string[]
  }

  print(character: string): void {
    this.#fillTo(this.column)
    this.row[this.column++] = character
  }

  beginRow(): void {
    this.rows.push([])
    this.column = 0
  }

  move(columns: number): void {
    this.column = Math.max(0, this.column + columns)
  }

  /** Replaces characters at the cursor by blanks before the rest of the row. */
  replace(removed: number, blanks: number): void {
    this.#fillTo(this.column)
    this.row.splice(this.column, removed, ...Array.from({ length: blanks }, () => ' '))
  }

  #fillTo(column: number): void {
    while (this.row.length < column) this.row.push(' ')
  }
}

/**
 * Returns the text that is shown after the prompt, without blanks at the end of a row. Null where the drawing cannot be followed.
 *
 * @param prompt - The bytes of the prompt as text, at least of its last row.
 * @param drawn - The bytes from the end of the prompt to the start of the command.
 *
 * @example drawnLine('$ ', 'ecko a\b\b\b\bh') // 'echo a'
 */
export function drawnLine(prompt: string, drawn: string): string | null {
  const rows = new DrawnRows()
  if (!draw(rows, prompt.slice(prompt.lastIndexOf('\n') + 1))) return null
  const from = rows.column
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
  if (character === '\n') rows.beginRow()
  else if (character === '\r') rows.column = 0
  else if (character === '\b') rows.move(-1)
  else if (narrow.test(character)) rows.print(character)
  else return /^[\x00-\x1f\x7f]$/.test(character)
  return true
}

/** Sequences that neither move nor erase are passed over. */
function applySequence(rows: DrawnRows, found: string): boolean {
  const [, parameter = '', letter] = cursorSequence.exec(found) ?? []
  if (letter === undefined) return true
  const count = Math.min(Math.max(1, Number(parameter)), columnsMovedMax)
  switch (letter) {
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
    case 'K':
      rows.row.splice(rows.column)
      return Number(parameter) === 0
    default:
      return false
  }
}
