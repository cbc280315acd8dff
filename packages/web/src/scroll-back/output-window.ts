/**
 * A window of some rows onto all kept output. It reads pieces from the daemon ahead of the person and drops those far away. One read is
 * in flight at a time. It does not know how its rows are drawn.
 */

import { type Piece, PieceChain } from './piece-chain.ts'

/** The piece from the line of `since` on, or the piece that ends at `until`. */
export type PieceRange = { readonly since: number } | { readonly until: number }

export interface ReadPiece extends Piece {
  /** The bounds of the kept output. */
  readonly start: number
  readonly end: number
}

export interface OutputWindowParts {
  readonly read: (range: PieceRange, signal: AbortSignal) => Promise<ReadPiece>
  /** The height of the window, in rows. */
  readonly height: () => number
  /** Called when other rows are visible. */
  readonly changed: () => void
  /** Called with an error of `read`. */
  readonly failed: (error: unknown) => void
}

/** Rows that are read before they are visible. */
const aheadRows = 1_000

const markRow = (text: string) => `\x1b[2;3m  ${text}  `

export class OutputWindow {
  readonly #parts: OutputWindowParts
  readonly #chain = new PieceChain()
  #top = 0
  #start = 0
  #end = 0
  #hasStartMark = false
  #over = new AbortController()
  #isFilling = false

  constructor(parts: OutputWindowParts) {
    this.#parts = parts
  }

  get chain(): PieceChain {
    return this.#chain
  }

  /** The bounds of the kept output, as far as they are known. */
  get start(): number {
    return this.#start
  }

  get end(): number {
    return this.#end
  }

  /** The number of the first visible row. */
  get top(): number {
    return this.#top
  }

  get topOffset(): number {
    return Math.max(this.#start, this.#chain.offsetOf(this.#top))
  }

  /** The last row of the output is visible. */
  get isAtEnd(): boolean {
    return this.#chain.next >= this.#end && this.#top >= this.#topMax
  }

  get visible(): readonly string[] {
    return this.#chain.rowsFrom(this.#top, this.#parts.height())
  }

  /** The output has grown. */
  grown(end: number): void {
    this.#end = Math.max(this.#end, end)
  }

  /** Reads anew and shows the line of an offset, `above` rows below the top. Returns false if another read has replaced it. */
  async openAt(offset: number, above = 0): Promise<boolean> {
    const signal = this.#restart()
    const first = await this.#readOrNull({ since: offset }, signal)
    if (first === null) return false
    this.#chain.append(first)
    this.#markStart()
    // The first row states that it is the beginning.
    this.#top = offset <= this.#start ? 0 : this.#chain.rowOf(offset)
    while (!signal.aborted && (await this.#extend(above, signal))) {}
    if (signal.aborted) return false
    this.#top = Math.max(0, Math.min(this.#top - above, this.#topMax))
    this.#parts.changed()
    this.#fill()
    return true
  }

  /** Reads one more piece if rows of the screen are missing. Returns false if none are, or if there is no more output. */
  async #extend(above: number, signal: AbortSignal): Promise<boolean> {
    const { rowCount, from, next } = this.#chain
    const height = this.#parts.height()
    if (next < this.#end && rowCount - this.#top < height - above) await this.#newer(signal)
    else if (from > this.#start && (rowCount < height || this.#top < above)) await this.#older(signal)
    else return false
    return true
  }

  /** Reads the last rows before `end`, at least `rows` of them if they are kept. Returns false if another read has replaced it. */
  async openBefore(end: number, rows: number): Promise<boolean> {
    const signal = this.#restart()
    const last = await this.#readOrNull({ until: end }, signal)
    if (last === null) return false
    this.#chain.append(last)
    this.#markStart()
    while (!signal.aborted && this.#chain.rowCount < rows && this.#chain.from > this.#start) await this.#older(signal)
    if (signal.aborted) return false
    this.#top = this.#topMax
    return true
  }

  scrollTo(row: number): void {
    const top = Math.max(0, Math.min(row, this.#topMax))
    const isMoved = top !== this.#top
    this.#top = top
    if (isMoved) this.#parts.changed()
    this.#fill()
  }

  scrollBy(rows: number): void {
    this.scrollTo(this.#top + rows)
  }

  close(): void {
    this.#restart()
  }

  get #topMax(): number {
    return Math.max(0, this.#chain.rowCount - this.#parts.height())
  }

  #restart(): AbortSignal {
    this.#over.abort()
    this.#over = new AbortController()
    this.#chain.clear()
    this.#top = 0
    this.#hasStartMark = false
    this.#isFilling = false
    return this.#over.signal
  }

  /** Reads ahead in both directions, first where the person is nearer to the end of the rows. */
  #fill(): void {
    if (this.#isFilling || this.#chain.isEmpty) return
    const below = this.#chain.rowCount - this.#top - this.#parts.height()
    const mayOlder = this.#chain.from > this.#start && this.#top < aheadRows
    const mayNewer = this.#chain.next < this.#end && below < aheadRows
    if (!mayOlder && !mayNewer) return
    const { signal } = this.#over
    const isOlder = mayOlder && (!mayNewer || this.#top <= below)
    this.#isFilling = true
    ;(isOlder ? this.#older(signal) : this.#newer(signal))
      .then(() => {
        if (signal.aborted) return
        this.#isFilling = false
        this.#parts.changed()
        this.#fill()
      })
      .catch((error: unknown) => {
        if (signal.aborted) return
        this.#isFilling = false
        this.#parts.failed(error)
      })
  }

  async #older(signal: AbortSignal): Promise<void> {
    const piece = await this.#readOrNull({ until: this.#chain.from }, signal)
    if (piece === null) return
    // Output that was dropped meanwhile leaves nothing above.
    if (piece.from < this.#chain.from) this.#top += this.#chain.prepend(piece)
    this.#markStart()
  }

  async #newer(signal: AbortSignal): Promise<void> {
    const piece = await this.#readOrNull({ since: this.#chain.next }, signal)
    if (piece === null) return
    const dropped = this.#chain.append(piece)
    if (dropped > 0) this.#hasStartMark = false
    this.#top = Math.max(0, this.#top - dropped)
  }

  /** Null if it was aborted. */
  async #readOrNull(range: PieceRange, signal: AbortSignal): Promise<ReadPiece | null> {
    try {
      const piece = await this.#parts.read(range, signal)
      if (signal.aborted) return null
      this.#start = piece.start
      this.#end = Math.max(this.#end, piece.end)
      return piece
    } catch (error) {
      if (signal.aborted) return null
      throw error
    }
  }

  /** States in words that there is nothing above the first row. */
  #markStart(): void {
    const { from } = this.#chain
    if (this.#hasStartMark || from > this.#start) return
    this.#hasStartMark = true
    const text = this.#start === 0 ? 'This is the beginning.' : 'Earlier output was not kept.'
    this.#top += this.#chain.prepend({ from, next: from, rows: [markRow(text)], offsets: [-1] })
  }
}
