/**
 * A selection in rows above those of the emulator. Its ends are places in the output, so it stays while a person scrolls, and its text is read
 * from the daemon however long it is.
 */

import { widthOf } from '../wall/row-runs.ts'
import { textOf } from './find-seam.ts'
import type { OutputWindow, ReadPiece } from './output-window.ts'
import type { PieceChain } from './piece-chain.ts'

/** A border between two cells: before column `col` of the row with number `row` of the line at `offset`. */
export interface Place {
  readonly offset: number
  readonly row: number
  readonly col: number
}

export interface OlderSelection {
  readonly from: Place
  readonly to: Place
}

/** Returns the place of a cell of the chain's row `row`. */
export function placeAt(chain: PieceChain, row: number, col: number): Place {
  const offset = chain.offsetOf(row)
  return { offset, row: row - chain.rowOf(offset), col }
}

/** The two places in the order of the output; null for an empty selection. */
export function selectionOf(one: Place, other: Place): OlderSelection | null {
  const order = one.offset - other.offset || one.row - other.row || one.col - other.col
  if (order === 0) return null
  return order < 0 ? { from: one, to: other } : { from: other, to: one }
}

/** The selected cells of visible rows: the first one's row and column, and their number in rows of `cols` cells. */
export interface VisibleSelection {
  readonly row: number
  readonly col: number
  readonly length: number
}

export interface VisibleRows {
  readonly top: number
  readonly rows: number
  readonly cols: number
}

/** Returns the visible part of a selection; null if nothing of it is visible. */
export function visiblePart(
  chain: PieceChain,
  { from, to }: OlderSelection,
  { top, rows, cols }: VisibleRows,
): VisibleSelection | null {
  const cellOf = ({ offset, row, col }: Place): number => {
    if (offset < chain.from) return 0
    if (offset >= chain.next) return rows * cols
    return Math.min(rows * cols, Math.max(0, (chain.rowOf(offset) + row - top) * cols + col))
  }
  const [begin, end] = [cellOf(from), cellOf(to)]
  return begin === end ? null : { row: Math.floor(begin / cols), col: begin % cols, length: end - begin }
}

/** Longer selections are cut. */
const piecesMax = 500

export interface SelectedText {
  readonly text: string
  /** The selection is longer. */
  readonly isCut: boolean
}

/** Reads the text of a selection. The rows of a line that wraps are joined. */
export async function readSelection(
  { from, to }: OlderSelection,
  read: (since: number) => Promise<ReadPiece>,
): Promise<SelectedText> {
  const lines: { readonly offset: number; text: string }[] = []
  let since = from.offset
  let count = 0
  for (; since <= to.offset && count < piecesMax; count += 1) {
    const piece = await read(since)
    for (const row of selectedRows(piece, { from, to })) {
      const line = lines.at(-1)
      if (line?.offset === row.offset) line.text += row.text
      else lines.push({ ...row })
    }
    if (piece.next <= since) break
    since = piece.next
  }
  return { text: lines.map(({ text }) => text.trimEnd()).join('\n'), isCut: since <= to.offset && count === piecesMax }
}

function* selectedRows({ rows, offsets }: ReadPiece, { from, to }: OlderSelection) {
  let rowOfLine = 0
  for (const [at, styled] of rows.entries()) {
    const offset = offsets[at] ?? 0
    rowOfLine = offset === offsets[at - 1] ? rowOfLine + 1 : 0
    const isBefore = offset < from.offset || (offset === from.offset && rowOfLine < from.row)
    const isBehind = offset > to.offset || (offset === to.offset && rowOfLine > to.row)
    if (isBefore || isBehind) continue
    const begin = offset === from.offset && rowOfLine === from.row ? from.col : 0
    const end = offset === to.offset && rowOfLine === to.row ? to.col : Number.POSITIVE_INFINITY
    yield { offset, text: cellsOf(textOf(styled), begin, end) }
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Returns the characters that begin in the cells from `begin` to before `end`. */
function cellsOf(text: string, begin: number, end: number): string {
  let col = 0
  let found = ''
  for (const { segment } of graphemes.segment(text)) {
    if (col >= begin && col < end) found += segment
    col += widthOf(segment)
  }
  return found
}

/** The selection that a person makes in the rows of a window. */
export class SelectedRows {
  readonly #window: Pick<OutputWindow, 'chain' | 'top'>
  readonly #changed: () => void
  #anchor: Place | null = null
  #selection: OlderSelection | null = null

  constructor(window: Pick<OutputWindow, 'chain' | 'top'>, changed: () => void) {
    this.#window = window
    this.#changed = changed
  }

  get isEmpty(): boolean {
    return this.#selection === null
  }

  /** `row`: from 0, of the visible rows. */
  begin(row: number, col: number): void {
    this.#anchor = null
    this.extend(row, col)
  }

  extend(row: number, col: number): void {
    const { chain, top } = this.#window
    const place = placeAt(chain, top + row, col)
    this.#anchor ??= place
    this.#selection = selectionOf(this.#anchor, place)
    this.#changed()
  }

  clear(): void {
    this.#anchor = null
    this.#selection = null
  }

  visible(size: { readonly rows: number; readonly cols: number }): VisibleSelection | null {
    const { chain, top } = this.#window
    return this.#selection === null
      ? null
      : visiblePart(chain, this.#selection, { top, rows: size.rows, cols: size.cols })
  }

  async read(piece: (since: number) => Promise<ReadPiece>): Promise<SelectedText> {
    return this.#selection === null ? { text: '', isCut: false } : readSelection(this.#selection, piece)
  }
}
