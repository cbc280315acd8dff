/** Adjacent pieces of a terminal's output as rows. Their number is bounded: a piece that is added at one end drops pieces at the other. */

export interface Piece {
  /** The offsets between which it is all of the output. */
  readonly from: number
  readonly next: number
  /** Text with escape sequences that set its styles. */
  readonly rows: readonly string[]
  /** For each row, the offset of its line. */
  readonly offsets: readonly number[]
}

/** About a megabyte of the page, and more than a person scrolls in a second. */
const rowsMax = 6_000
/** The pieces around a row that is shown stay, however many rows they have. */
const piecesMin = 3
/** Pieces of a full-screen program have no rows. */
const piecesMax = 256

export class PieceChain {
  #pieces: Piece[] = []
  #rowCount = 0

  get rowCount(): number {
    return this.#rowCount
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get from(): number {
    return this.#pieces[0]?.from ?? 0
  }

  get next(): number {
    return this.#pieces.at(-1)?.next ?? 0
  }

  /** Rows for each byte of the output; null where there are no rows. */
  get bytesPerRow(): number | null {
    return this.#rowCount === 0 ? null : (this.next - this.from) / this.#rowCount
  }

  /** Adds a piece above the first row. Returns the number of added rows. */
  prepend(piece: Piece): number {
    this.#pieces.unshift(piece)
    this.#rowCount += piece.rows.length
    while (this.#isTooLong) this.#drop(this.#pieces.pop())
    return piece.rows.length
  }

  /** Adds a piece below the last row. Returns the number of rows that are dropped at the top. */
  append(piece: Piece): number {
    this.#pieces.push(piece)
    this.#rowCount += piece.rows.length
    let dropped = 0
    while (this.#isTooLong) dropped += this.#drop(this.#pieces.shift())
    return dropped
  }

  clear(): void {
    this.#pieces = []
    this.#rowCount = 0
  }

  /** Rows from `row` on, at most `count`. */
  rowsFrom(row: number, count: number): readonly string[] {
    const found: string[] = []
    let first = 0
    for (const { rows } of this.#pieces) {
      if (first >= row + count) break
      if (first + rows.length > row) found.push(...rows.slice(Math.max(0, row - first), row + count - first))
      first += rows.length
    }
    return found
  }

  /** The offset of the line of a row; the end of the output of the last piece behind the last row. */
  offsetOf(row: number): number {
    let first = 0
    for (const { rows, offsets, next } of this.#pieces) {
      if (row < first + rows.length) return offsets[Math.max(0, row - first)] ?? next
      first += rows.length
    }
    return this.next
  }

  /** The first row of the line that has this offset, or else of the next line. */
  rowOf(offset: number): number {
    let first = 0
    for (const { next, offsets, rows } of this.#pieces) {
      const at = offset < next ? offsets.findLastIndex((one) => one <= offset) : -1
      if (at >= 0) return first + offsets.indexOf(offsets[at] ?? 0)
      if (offset < next) return first
      first += rows.length
    }
    return first
  }

  get #isTooLong(): boolean {
    return this.#pieces.length > piecesMin && (this.#rowCount > rowsMax || this.#pieces.length > piecesMax)
  }

  #drop(piece: Piece | undefined): number {
    const rows = piece?.rows.length ?? 0
    this.#rowCount -= rows
    return rows
  }
}
