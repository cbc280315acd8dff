/**
 * Writes rows of a buffer so that a terminal that is fed the text has the same cells and knows the same rows as wrapped: rows
 * scroll into its scrollback as they once did here.
 */

import { esc } from '@agentpty/protocol/escapes'
import type { Attributes, Extended } from './emulator-state.ts'
import { joining } from './emulator-state.ts'
import { linksOf } from './links.ts'
import { colorBits, isSameStyle, plain, styleSequence } from './style-codes.ts'
import type { IBuffer, IBufferCell, Terminal } from './terminal.ts'

/** One cell, or both halves of a wide one. */
export interface DrawnCell {
  /** Empty where nothing was written since it was erased. */
  readonly text: string
  readonly width: number
  readonly style: Attributes
}

export interface DrawnRow {
  readonly cells: readonly DrawnCell[]
  /** It continues the row above it. */
  readonly isWrapped: boolean
}

/** The emulator's cell, which has more than its public type says. */
type PackedCell = IBufferCell & {
  readonly fg: number
  readonly bg: number
  readonly extended: Extended
}

const hasExtended = 0x10000000
const noExtended: Extended = { _ext: 0, urlId: 0 }

/** Rows `from` to `until` (exclusive), counted from the oldest one that is kept. */
export function rowsOf(buffer: IBuffer, from: number, until: number): readonly DrawnRow[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => {
    const line = buffer.getLine(from + index)
    if (line === undefined) return { cells: [], isWrapped: false }
    const cells: DrawnCell[] = []
    let cell: IBufferCell | undefined
    for (let col = 0; col < line.length; ) {
      cell = line.getCell(col, cell)
      const drawn = drawnCell(cell as PackedCell | undefined, () => line.getCell(col + 1))
      cells.push(drawn)
      col += drawn.width
    }
    return { cells, isWrapped: line.isWrapped }
  })
}

function drawnCell(cell: PackedCell | undefined, next: () => IBufferCell | undefined): DrawnCell {
  if (cell === undefined) return { text: '', width: 1, style: plain }
  const { fg, bg } = cell
  const { _ext: ext, urlId: link } = (bg & hasExtended) === 0 ? noExtended : cell.extended
  const style = { fg, bg, ext, link }
  const text = cell.getChars()
  if (cell.getWidth() !== 2) return { text, width: 1, style }
  const right = next()
  // A left half alone, whose right one was cut or written over, is shown as a blank.
  return right?.getWidth() === 0 && right.getChars() === '' ? { text, width: 2, style } : { text: ' ', width: 1, style }
}

/** The terminal that is drawn, and what must not be shown of its links. */
export interface Drawing {
  readonly terminal: Terminal
  readonly hideLink?: (target: string) => string
}

/** Sets this style and link, whatever the ones before were. */
export const fullSequence = (drawing: Drawing, style: Attributes): string =>
  linkSequence(drawing, style.link) + styleSequence(style)

function linkSequence({ terminal, hideLink = (target) => target }: Drawing, link: number): string {
  const links = linksOf(terminal)
  if (links === null || links.isUnused) return ''
  return `${esc}]8;;${hideLink(links.targetOf(link) ?? '')}\x07`
}

interface WantedRows {
  readonly needed: number
  readonly charactersMax?: number
}

/**
 * Writes rows into a new buffer, from its first row on. The style is plain before and after it. Of those before the last
 * `needed` ones only the newest are written, as far as `charactersMax` goes.
 */
export function drawRows(
  drawing: Drawing,
  rows: readonly DrawnRow[],
  { needed, charactersMax = 0 }: WantedRows,
): string {
  const drawn: string[] = []
  let characters = 0
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const text = new RowWriter(drawing).row(rows[at] ?? { cells: [], isWrapped: false })
    const isNeeded = at >= rows.length - needed
    if (!isNeeded && characters + text.length > charactersMax) break
    if (!isNeeded) characters += text.length
    drawn.unshift(text)
  }
  const first = rows.length - drawn.length
  return drawn
    .map((text, index) => (index === 0 ? '' : rowBreak(rows[first + index - 1], rows[first + index])) + text)
    .join('')
}

/** A character of two columns, which wraps wherever the last column is reached. */
export const wide = '一'

function rowBreak(above: DrawnRow | undefined, row: DrawnRow | undefined): string {
  if (above === undefined || row?.isWrapped !== true) return '\r\n'
  const last = above.cells.at(-1)
  // Only a character that goes over the end of a row marks the next one as wrapped.
  if (last !== undefined && isWritten(last)) return ` \r${esc}[X`
  const cols = above.cells.length === 0 ? 1 : above.cells.reduce((sum, { width }) => sum + width, 0)
  const style = last?.style ?? plain
  if (isSameStyle(style, plain)) return `${esc}[${cols}G${wide}\r${esc}[2X`
  return `${esc}[${cols}G${styleSequence(style)}${wide}\r${esc}[m${esc}[${cols}X`
}

/** Erased cells have a background alone; whatever else has a style is written as a blank. */
function isWritten({ text, style }: DrawnCell): boolean {
  return text !== '' || style.fg !== 0 || (style.bg & ~colorBits) !== 0
}

class RowWriter {
  readonly #drawing: Drawing
  #text = ''
  #style = plain
  #skipped = 0
  /** The state by which the emulator judges the next character. */
  #state = 0

  constructor(drawing: Drawing) {
    this.#drawing = drawing
  }

  row({ cells }: DrawnRow): string {
    for (let index = 0; index < cells.length; ) index += this.#next(cells, index)
    this.#setStyle(plain)
    return this.#text
  }

  /** Returns how many cells it has taken. */
  #next(cells: readonly DrawnCell[], index: number): number {
    const cell = cells[index]
    if (cell === undefined) return 1
    if (isWritten(cell)) {
      this.#write(cell)
      return 1
    }
    const end = cells.findIndex((one, at) => at > index && (isWritten(one) || !isSameStyle(one.style, cell.style)))
    const count = (end < 0 ? cells.length : end) - index
    if (!isSameStyle(cell.style, plain)) {
      this.#skip()
      this.#setStyle(cell.style)
      this.#escape(`${esc}[${count}X`)
    }
    this.#skipped += count
    return count
  }

  #write({ text, style }: DrawnCell): void {
    this.#skip()
    this.#setStyle(style)
    const { terminal } = this.#drawing
    const [first = ' '] = text
    if (joining(terminal, first.codePointAt(0) ?? 0, this.#state).joins) this.#escape(styleSequence(style))
    for (const character of text === '' ? ' ' : text)
      this.#state = joining(terminal, character.codePointAt(0) ?? 0, this.#state).state
    this.#text += text === '' ? ' ' : text
  }

  #skip(): void {
    if (this.#skipped > 0) this.#escape(`${esc}[${this.#skipped}C`)
    this.#skipped = 0
  }

  #setStyle(style: Attributes): void {
    if (style.link !== this.#style.link) this.#escape(linkSequence(this.#drawing, style.link))
    if (!isSameStyle({ ...style, link: 0 }, { ...this.#style, link: 0 })) this.#escape(styleSequence(style))
    this.#style = style
  }

  #escape(sequence: string): void {
    this.#text += sequence
    this.#state = 0
  }
}
