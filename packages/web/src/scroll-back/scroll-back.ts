/**
 * Scrolls a live terminal through all kept output. The emulator has the newest rows. Above its first row, a second screen covers it and shows
 * rows that are read from the daemon. That screen closes when the person comes back to a row that the emulator has.
 */

import type { SessionEvent } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { signal } from '@preact/signals'
import type { IMarker, Terminal } from '@xterm/xterm'
import { CoveringScreen } from './covering-screen.ts'
import { findSeam, textOf } from './find-seam.ts'
import { currentLine, marked, type SoughtText, unmarked } from './marked-rows.ts'
import { SelectedRows, type SelectedText } from './older-selection.ts'
import { OutputWindow, type PieceRange, type ReadPiece } from './output-window.ts'
import { listenToGestures } from './scroll-gestures.ts'

/** Where the visible rows are in all kept output. */
export interface ScrollPlace {
  /** The share of the output above the first visible row, and that of the visible rows. */
  readonly top: number
  readonly size: number
  /** Newer output is below the visible rows. */
  readonly isAway: boolean
  /** The lines that have come since the person scrolled up. */
  readonly newLines: number
}

/** The emulator's rows that are compared with rows of the daemon. */
const comparedRows = 24
/** A page repeats a row, and those that the heading of a command covers. */
const pageStep = (rows: number): number => Math.max(1, rows - 3)
/** With less output there is nothing to scroll. */
const scrolledBytesMin = 64 * 1_024
/** While this few rows are left above, output that drops the emulator's oldest rows must not move what the person reads. */
const droppedSoonRows = 200
/** Rows at the top that the find bar may cover. */
const coveredRows = 4
const lineFeed = 0x0a

export class ScrollBack {
  /** Null where there is nothing to scroll, as in a full-screen program. */
  readonly place = signal<ScrollPlace | null>(null)
  readonly #terminal: Terminal
  readonly #failed: (error: unknown) => void
  readonly #window: OutputWindow
  readonly #selected: SelectedRows
  /** Made when the person scrolls up for the first time, because that takes as long as several frames. */
  #screen: CoveringScreen | null = null
  #isOpen = false
  #isDrawing = false
  #isOver = false
  /** The offset of the line that is marked. */
  #marked: number | null = null
  /** The matches of it are marked. */
  #sought: SoughtText | null = null
  /** The rows were read before the present `#sought`. */
  #hasOldMarks = false
  #source: { readonly client: WireClient; readonly terminalId: string } | null = null
  #opening: number | null = null
  #end = 0
  #newLines = 0
  /** The first row of the emulator as it was covered, and its number in the window. */
  #seam: { readonly marker: IMarker; readonly offset: number; readonly rowsAfter: number } | null = null
  #isEntering = false
  #entering = 0
  #nextPlace: number | null = null

  constructor(terminal: Terminal, failed: (error: unknown) => void) {
    this.#terminal = terminal
    this.#failed = failed
    this.#window = new OutputWindow({
      read: (range, over) => this.#read(range, over),
      height: () => terminal.rows,
      changed: () => this.#changed(),
      failed,
    })
    this.#selected = new SelectedRows(this.#window, () => this.#changed())
    terminal.onRender(() => {
      if (this.#isOpen) this.#screen?.follow()
      this.#report()
    })
    terminal.onResize(() => this.#isOpen && void this.goTo(this.#window.topOffset))
    listenToGestures(terminal, {
      isCovered: () => this.isOpen,
      mayOpen: () => this.#isScrollable && terminal.buffer.active.viewportY === 0,
      scrollBy: (rows) => this.scrollBy(rows),
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Rows above the emulator are shown, or are being read to be shown. */
  get isAbove(): boolean {
    return this.#isOpen || this.#opening !== null
  }

  /** Reads the row before an offset; empty if it is not kept or cannot be read. */
  async lineBefore(offset: number): Promise<string> {
    try {
      const { rows } = await this.#read({ until: offset }, new AbortController().signal)
      return textOf(rows.at(-1) ?? '').trim()
    } catch (error) {
      this.#failed(error)
      return ''
    }
  }

  /** The offset of the line of a visible row above the emulator, or of the line that is being read to be shown. `row`: from 0. */
  offsetOfRow(row: number): number {
    return this.#opening ?? this.#window.chain.offsetOf(this.#window.top + row)
  }

  /** Reads from this terminal from now on. */
  from(client: WireClient, terminalId: string): void {
    this.#source = { client, terminalId }
  }

  beforeWrite(event: SessionEvent): void {
    if (event.type === 'snapshot') {
      // The snapshot replaces all rows of the emulator.
      if (event.isLate && !this.isOpen && this.#isAway) void this.#enter(0)
      this.#end = event.at
    }
    if (event.type !== 'output') return
    this.#end = event.next
    this.#window.grown(event.next)
    if (this.#isAway) for (const byte of event.bytes) if (byte === lineFeed) this.#newLines += 1
    const { length, viewportY, baseY } = this.#terminal.buffer.normal
    const isFull = length >= (this.#terminal.options.scrollback ?? 0) + this.#terminal.rows
    if (isFull && viewportY < Math.min(baseY, droppedSoonRows) && !this.isOpen) void this.#enter(0)
  }

  /** Handles a key that scrolls. Returns false for all others. */
  pressed({ key, shiftKey, ctrlKey, altKey, metaKey, type }: KeyboardEvent): boolean {
    if (!shiftKey || ctrlKey || altKey || metaKey || !this.#isScrollable) return false
    const { rows } = this.#terminal
    const acts: Readonly<Record<string, () => void>> = {
      PageUp: () => this.scrollBy(-pageStep(rows)),
      PageDown: () => this.scrollBy(pageStep(rows)),
      Home: () => void this.goToShare(0),
      End: () => this.toNewest(),
    }
    const act = acts[key]
    if (act === undefined) return false
    if (type === 'keydown') act()
    return true
  }

  /** Leads back to the newest output. */
  toNewest(): void {
    this.#close()
    this.#terminal.scrollToBottom()
    this.#report()
  }

  scrollBy(rows: number): void {
    if (this.isOpen) {
      this.#window.scrollBy(rows)
      this.#leaveAtEnd(rows)
      return
    }
    const { viewportY } = this.#terminal.buffer.active
    this.#terminal.scrollLines(rows)
    if (viewportY + rows < 0) void this.#enter(viewportY + rows)
  }

  /** Shows the output at this share of all of it. */
  async goToShare(share: number): Promise<void> {
    const { size = 0 } = this.place.peek() ?? {}
    if (share >= 1 - size) {
      this.toNewest()
      return
    }
    const { start } = this.#window
    const offset = Math.floor(start + share * (this.#end - start))
    // One read at a time; of further places only the newest counts.
    if (this.#nextPlace !== null) {
      this.#nextPlace = offset
      return
    }
    this.#nextPlace = offset
    while (this.#nextPlace !== null) {
      const next: number = this.#nextPlace
      await this.goTo(next)
      if (this.#nextPlace === next) this.#nextPlace = null
    }
  }

  /** Shows and marks the line of this offset, some rows below the top. */
  goToLine(offset: number): Promise<void> {
    this.#marked = offset
    return this.goTo(offset, Math.floor(this.#terminal.rows / 3))
  }

  /** Marks the matches in all rows that are read from now on; null: marks nothing. */
  seek(sought: SoughtText | null): void {
    this.#sought = sought
    this.#hasOldMarks = true
    this.#marked = null
    this.#changed()
  }

  /** Marks a line as the current one. Scrolls only if the line is not visible. */
  showHit(offset: number): Promise<void> {
    const { chain, top } = this.#window
    const isRead = !chain.isEmpty && offset >= chain.from && offset < chain.next
    if (!this.#isOpen || this.#hasOldMarks || !isRead) return this.goToLine(offset)
    this.#marked = offset
    const row = chain.rowOf(offset)
    const { rows } = this.#terminal
    const isVisible = row >= top + coveredRows && row < top + rows - 1
    if (!isVisible) this.#window.scrollTo(row - Math.floor(rows / 3))
    this.#changed()
    return Promise.resolve()
  }

  /** The offset after the visible lines; null at the newest output. */
  async visibleEnd(): Promise<number | null> {
    if (!this.isOpen && this.#isAway) await this.#enter(0)
    return this.isOpen ? this.#window.chain.offsetOf(this.#window.top + this.#terminal.rows) : null
  }

  /** Shows the line of this offset, `above` rows below the top. */
  async goTo(offset: number, above = 0): Promise<void> {
    if (this.#source === null) return
    this.#seam = null
    this.#opening = offset
    this.#hasOldMarks = false
    try {
      if (!(await this.#window.openAt(offset, above))) return
    } catch (error) {
      this.#failed(error)
      return
    } finally {
      if (this.#opening === offset) this.#opening = null
    }
    this.#open()
  }

  dispose(): void {
    this.#isOver = true
    this.#close()
    this.#screen?.dispose()
    this.#screen = null
  }

  get #isScrollable(): boolean {
    return this.#source !== null && this.#terminal.buffer.active.type === 'normal'
  }

  get #isAway(): boolean {
    const { viewportY, baseY } = this.#terminal.buffer.normal
    return this.isOpen || viewportY < baseY
  }

  async #read(range: PieceRange, over: AbortSignal): Promise<ReadPiece> {
    const { client, terminalId } = this.#source ?? {}
    if (client === undefined || terminalId === undefined) throw new Error('No terminal is shown.')
    const input = { terminalId, rows: true, ...range, ...this.#sought } as const
    const { output, rows } = await client.call('read', input, { signal: over })
    if (rows === undefined) throw new Error('The daemon is older than this page. Reload the page.')
    return { ...rows, rows: rows.offsets.length === 0 ? [] : marked(output.split('\n'), rows.matches) }
  }

  /** Covers the emulator with what is above its first visible row, `rows` (at most 0) rows higher. */
  async #enter(rows: number): Promise<void> {
    this.#entering += rows
    if (this.#isEntering || !this.#isScrollable) return
    this.#isEntering = true
    this.#hasOldMarks = false
    this.#entering = rows
    const { normal } = this.#terminal.buffer
    const { viewportY, length } = normal
    const lines = Array.from({ length: Math.min(comparedRows, length - viewportY) }, (_, at) => {
      return normal.getLine(viewportY + at)?.translateToString(true) ?? ''
    })
    const marker = this.#terminal.registerMarker(viewportY - normal.baseY - normal.cursorY)
    const below = length - viewportY
    try {
      const isRead = await this.#window.openBefore(this.#end, below + this.#terminal.rows)
      if (!isRead) return
      const { chain } = this.#window
      const all = chain.rowsFrom(0, chain.rowCount)
      const expected = Math.max(0, all.length - below)
      const row = findSeam(all, lines, expected) ?? expected
      const offset = chain.offsetOf(row)
      const isWorthIt = row > 1 || (row > 0 && (normal.baseY > 0 || this.#window.start > 0))
      this.#seam = { marker, offset, rowsAfter: row - chain.rowOf(offset) }
      if (isWorthIt) this.#open()
      if (isWorthIt) this.#window.scrollTo(row + this.#entering)
      else this.#close()
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isEntering = false
    }
  }

  #open(): void {
    this.#isOpen = true
    this.#changed()
  }

  #close(): void {
    this.#seam?.marker.dispose()
    this.#seam = null
    this.#marked = null
    this.#selected.clear()
    this.#window.close()
    this.#isOpen = false
    this.#screen?.hide()
  }

  /** Uncovers the emulator at the same row where it has the visible rows. */
  #leaveAtEnd(rows: number): void {
    if (rows <= 0) return
    const { chain, top, isAtEnd } = this.#window
    if (isAtEnd) {
      this.toNewest()
      return
    }
    const { marker, offset, rowsAfter } = this.#seam ?? {}
    if (marker === undefined || offset === undefined || marker.line < 0) return
    const seamRow = chain.rowOf(offset) + (rowsAfter ?? 0)
    if (chain.from > offset || chain.next <= offset || top < seamRow) return
    const line = marker.line + top - seamRow
    this.#close()
    this.#terminal.scrollToLine(line)
    this.#report()
  }

  #cover(): CoveringScreen {
    this.#screen ??= new CoveringScreen(this.#terminal, {
      begun: (row, col) => this.#selected.begin(row, col),
      extended: (row, col) => this.#selected.extend(row, col),
      scrollBy: (rows) => this.scrollBy(rows),
    })
    return this.#screen
  }

  /** Text above the emulator is selected. */
  get hasSelection(): boolean {
    return this.#isOpen && (!this.#selected.isEmpty || this.#screen?.selected !== '')
  }

  /** Reads the selected text above the emulator. */
  async selectedText(): Promise<SelectedText> {
    if (this.#selected.isEmpty) return { text: this.#screen?.selected ?? '', isCut: false }
    const { signal: over } = new AbortController()
    return this.#selected.read((since) => this.#read({ since }, over))
  }

  /** Draws in the next frame, once for all changes until then. */
  #changed(): void {
    if (this.#isDrawing || !this.#isOpen) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      if (!this.#isOpen || this.#isOver) return
      this.#cover().draw(this.#rows, this.#selected.visible(this.#terminal))
      this.#report()
    })
  }

  get #rows(): readonly string[] {
    const { visible, chain, top } = this.#window
    const rows = this.#sought === null || this.#hasOldMarks ? visible.map(unmarked) : visible
    return this.#marked === null ? rows : currentLine(rows, (at) => chain.offsetOf(top + at) === this.#marked)
  }

  #report(): void {
    const place = this.#placeNow()
    if (place?.isAway !== true) this.#newLines = 0
    else this.#cover()
    const before = this.place.peek()
    const isSame = before?.top === place?.top && before?.size === place?.size && before?.newLines === place?.newLines
    if (!isSame || before?.isAway !== place?.isAway) this.place.value = place
  }

  #placeNow(): ScrollPlace | null {
    const { rows, cols, buffer } = this.#terminal
    const { baseY, viewportY, length } = buffer.normal
    if (!this.isOpen && !this.#isScrollable) return null
    const { start, topOffset, chain } = this.#window
    const total = Math.max(1, this.#end - start)
    if (!this.isOpen && baseY === 0 && total < scrolledBytesMin) return null
    // The emulator knows no offsets: a row of it is taken for an average one.
    const rowBytes = chain.bytesPerRow ?? cols / 2
    const size = Math.min(1, (rows * rowBytes) / total)
    const newLines = this.#newLines
    if (this.isOpen) return { top: Math.min(1 - size, (topOffset - start) / total), size, isAway: true, newLines }
    const isAway = viewportY < baseY
    const top = isAway ? 1 - ((length - viewportY) * rowBytes) / total : 1 - size
    return { top: Math.max(0, Math.min(1 - size, top)), size, isAway, newLines }
  }
}
