/**
 * The screen: what a person would see after the bytes up to `parsedTo`, and nothing after them.
 *
 * Parsing happens later than `feed`, in order. `parsed` is called when exactly the bytes of its feed, and of those
 * before it, are on the screen: a promise would be settled only when the next feed may be too. Questions of programs
 * are answered through `onReply`, once each, and not at all while `answerQueries` is off.
 */

import type { Offset, Size } from '@agentpty/protocol'
import { type Dropped, noneDropped } from '@agentpty/protocol/session'
import { type CellPicture, cursorShapeOf, pictureRows } from './cell-picture.ts'
import { CommandRows, overwritten, PassedRows } from './command-rows.ts'
import { rowsOf } from './draw-rows.ts'
import { type DrawTerminalOptions, drawTerminal } from './draw-terminal.ts'
import { type OpenKind, openKindOf, stateOf } from './emulator-state.ts'
import { highlightsOf, type ScreenHighlights } from './highlights.ts'
import { linkReader, type ShownLinks } from './links.ts'
import { writeAnsi, writeRuns } from './screen-ansi.ts'
import { type ScreenSnapshot, writeHtml } from './screen-copies.ts'
import { LongStrings, type Skim, skim, sliceWithin, WholeCharacters } from './skim.ts'
import { trimBlanks } from './style-codes.ts'
import {
  isGround,
  isInString,
  modesOn,
  openTerminal,
  type StyledRun,
  scrollsWhole,
  styledRuns,
  type Terminal,
  writeAtOnce,
} from './terminal.ts'
import { answerQueries } from './terminal-replies.ts'

export interface ScreenOptions extends Size {
  readonly scrollbackRows: number
  readonly offset: Offset
  /** Our version, for programs that ask who the terminal is. */
  readonly version: string
  /** Receives the terminal's answers, which belong in the session's input. */
  readonly onReply: (bytes: Uint8Array) => void
  /** Counts what is left out. */
  readonly dropped?: Dropped
}

/** A part of the viewport; rows and columns count from 0. */
export interface ScreenWindow extends Size {
  readonly top: number
  readonly left: number
}

/** The encodings of mouse events, which the emulator does not report. */
const mouseEncodings: readonly number[] = [1005, 1006, 1015, 1016]

/** Above what a picture shows: a secret may have begun there. */
const rowsReadAbove = 100

export type ScreenPicture = ScreenSnapshot & ScreenHighlights

export class Screen {
  /** Off while history is replayed: those questions were answered when they were asked. Read when bytes are parsed. */
  answerQueries = true
  readonly #terminal: Terminal
  readonly #characters = new WholeCharacters()
  readonly #strings: LongStrings
  readonly #scrollbackRows: number
  #fedTo: Offset
  #parsedTo: Offset
  readonly #commandRows: CommandRows
  #title = ''
  #isCursorVisible = true
  readonly #mouseEncodings = new Set<number>()
  #isDisposed = false

  constructor(options: ScreenOptions) {
    this.#fedTo = options.offset
    this.#parsedTo = options.offset
    this.#scrollbackRows = options.scrollbackRows
    const { dropped = noneDropped() } = options
    this.#strings = new LongStrings(dropped)
    this.#terminal = openTerminal(options, dropped)
    this.#terminal.onTitleChange((title) => {
      this.#title = title
    })
    this.#commandRows = new CommandRows(this.#terminal)
    this.#watchCursor()
    this.#watchMouse()
    answerQueries(this.#terminal, {
      version: options.version,
      send: (reply) => {
        if (this.answerQueries) options.onReply(Buffer.from(reply))
      },
    })
  }

  /** Offset after the last byte that is on the screen. */
  get parsedTo(): Offset {
    return this.#parsedTo
  }

  get size(): Size {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows }
  }

  /** Plays the next bytes of the log. They must not change until `parsed`, which is never called after `dispose`. It must not throw. */
  feed(bytes: Uint8Array, parsed: () => void): void {
    this.#fedTo += bytes.length
    const end = this.#fedTo
    this.#terminal.write(this.#counting(bytes), () => {
      if (this.#isDisposed) return
      this.#parsedTo = end
      parsed()
    })
  }

  /** Feeds the bytes synchronously, without the emulator's own timer; false when it cannot. No bytes may be pending. */
  play(bytes: Uint8Array): boolean {
    if (!writeAtOnce(this.#terminal, this.#counting(bytes))) return false
    this.#fedTo += bytes.length
    this.#parsedTo = this.#fedTo
    return true
  }

  /** Returns how many of these bytes cost about `micros` microseconds of work. */
  sliceWithin(bytes: Uint8Array, micros: number): number {
    return sliceWithin(bytes, micros, this.size)
  }

  /** Skips bytes at the front that would leave no trace; returns how many. No bytes may be pending; feed the rest next. */
  skim(bytes: Uint8Array): number {
    if (!this.#characters.isWhole || !isGround(this.#terminal)) return 0
    const skimmed = overwritten(bytes) ?? this.#scrolledAway(bytes)
    if (skimmed === null) return 0
    if (skimmed.residue !== '') this.#terminal.write(Buffer.from(skimmed.residue, 'latin1'))
    this.#fedTo += skimmed.bytes
    this.#parsedTo = this.#fedTo
    return skimmed.bytes
  }

  #scrolledAway(bytes: Uint8Array): Skim | null {
    // The cursor may be above old text, which has to scroll away as well.
    return scrollsWhole(this.#terminal) ? skim(bytes, this.#scrollbackRows + 2 * this.#terminal.rows) : null
  }

  /** The part of the next bytes that reaches the emulator, in whole characters. */
  #counting(bytes: Uint8Array): Uint8Array {
    return this.#characters.take(this.#strings.take(bytes, isInString(this.#terminal)))
  }

  /** Takes effect immediately: bytes that are fed and not yet parsed are laid out in the new size. */
  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows)
  }

  snapshot(): ScreenSnapshot {
    const { buffer, cols, rows, modes } = this.#terminal
    const { active } = buffer
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row))
    return {
      offset: this.#parsedTo,
      cols,
      rows,
      cursor: { row: active.cursorY, col: Math.min(active.cursorX, cols - 1), visible: this.#isCursorVisible },
      title: this.#title,
      alternateScreen: active.type === 'alternate',
      modes: {
        applicationCursorKeys: modes.applicationCursorKeysMode,
        bracketedPaste: modes.bracketedPasteMode,
        mouse: modes.mouseTrackingMode !== 'none',
      },
      text: lines.map((line) => trimBlanks(line?.translateToString(true) ?? '')),
      wrapped: lines.map((line) => line?.isWrapped ?? false),
    }
  }

  /** The snapshot with its highlights and each row's style. */
  picture(): ScreenPicture {
    const { active } = this.#terminal.buffer
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => active.getLine(active.baseY + row))
    return { ...this.snapshot(), ...highlightsOf(lines) }
  }

  /** The row of the cursor: its text up to the cursor, and all of it. */
  cursorRow(): { readonly before: string; readonly line: string } {
    const { active } = this.#terminal.buffer
    const row = active.getLine(active.baseY + active.cursorY)
    return { before: row?.translateToString(false, 0, active.cursorX) ?? '', line: row?.translateToString(true) ?? '' }
  }

  /** The viewport with at most `count` rows of scrollback above it, oldest first. Blanks that were written at a row's end stay if asked for. */
  scrollbackText(count: number, { keepsBlanks = false } = {}): readonly string[] {
    const { active } = this.#terminal.buffer
    const first = Math.max(0, active.baseY - Math.max(0, Math.floor(count)))
    const length = active.baseY + this.#terminal.rows - first
    const rows = Array.from({ length }, (_, row) => active.getLine(first + row)?.translateToString(true) ?? '')
    return keepsBlanks ? rows : rows.map(trimBlanks)
  }

  /** The rows of the newest commands' prompts, see {@link CommandRows}. */
  get commandRows(): readonly (number | null)[] {
    return this.#commandRows.rows
  }

  /** The row of the prompt at which no command has started; null without one. */
  get promptRow(): number | null {
    return this.#commandRows.prompt
  }

  get rowCount(): number {
    return this.#terminal.buffer.normal.baseY + this.#terminal.rows
  }

  /** Returns the text of `count` rows from `first` on, counted from the oldest retained row. */
  rowsText(first: number, count: number): string {
    const { normal } = this.#terminal.buffer
    return Array.from({ length: count }, (_, row) => normal.getLine(first + row)?.translateToString(true) ?? '').join(
      '',
    )
  }

  toAnsi(): string {
    const { cursor, alternateScreen } = this.snapshot()
    return writeAnsi({ rows: this.#styledRows(), modes: modesOn(this.#terminal), cursor, alternateScreen })
  }

  /** Text that makes a terminal of the same size what this one is, up to {@link drawnTo}. */
  drawTerminal(options: Omit<DrawTerminalOptions, 'title'>): string {
    return drawTerminal(this.#terminal, { ...options, title: this.#title })
  }

  /** The same as `parsedTo`, without the beginning of a character whose rest has not come. */
  get drawnTo(): Offset {
    return this.#parsedTo - this.#characters.waitingBytes
  }

  /** The kind of sequence that is open there; null for none. */
  get openKind(): OpenKind | null {
    return openKindOf(this.#terminal)
  }

  /** The part of the viewport that a window shows: text and colours of each of its rows. `links`: also the hyperlinks. */
  drawWindow({ top, left, rows, cols }: ScreenWindow, links: ShownLinks | null = null): readonly string[] {
    const { active } = this.#terminal.buffer
    const count = Math.max(0, Math.min(rows, this.#terminal.rows - top))
    const linkOf = linkReader(this.#terminal, links)
    return Array.from({ length: count }, (_, row) => {
      const line = active.getLine(active.baseY + top + row)
      return line === undefined ? '' : writeRuns(styledRuns(line, { from: left, until: left + cols, linkOf }))
    })
  }

  passedRows(): PassedRows {
    return new PassedRows(this.#terminal)
  }

  get inputModes(): readonly number[] {
    return [...modesOn(this.#terminal), ...this.#mouseEncodings]
  }

  toHtml(): string {
    return writeHtml(this.#styledRows())
  }

  /** The viewport with at most `lines` rows of scrollback above it, cell by cell, for a picture. `hide`: what may be shown of them. */
  cells(lines: number, hide: DrawTerminalOptions['hide'] = (rows) => rows): CellPicture {
    const { active } = this.#terminal.buffer
    const { cols, rows } = this.#terminal
    const above = Math.min(active.baseY, Math.max(0, Math.floor(lines)))
    const { cursor } = this.snapshot()
    const at = { row: above + cursor.row, col: cursor.col }
    const hidden = Math.min(active.baseY, above + rowsReadAbove)
    const read = rowsOf(active, active.baseY - hidden, active.baseY + rows)
    const shown = hide(read, { row: hidden + cursor.row, col: cursor.col }).slice(hidden - above)
    const shape = cursorShapeOf(stateOf(this.#terminal).cursorShape)
    return { cols, rows: above + rows, cells: pictureRows(shown), cursor: cursor.visible ? { ...at, shape } : null }
  }

  dispose(): void {
    this.#isDisposed = true
    this.#terminal.dispose()
  }

  #styledRows(): readonly (readonly StyledRun[])[] {
    const { active } = this.#terminal.buffer
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => active.getLine(active.baseY + row))
    return lines.map((line) => (line === undefined ? [] : styledRuns(line)))
  }

  #watchMouse(): void {
    const { parser } = this.#terminal
    const chosen = (modes: readonly (number | number[])[]) => mouseEncodings.filter((one) => modes.includes(one))
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) => {
      for (const one of chosen(modes)) this.#mouseEncodings.add(one)
      return false
    })
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (modes) => {
      for (const one of chosen(modes)) this.#mouseEncodings.delete(one)
      return false
    })
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#mouseEncodings.clear()
      return false
    })
  }

  /** The emulator keeps the cursor's visibility to itself. Handlers that return false leave the sequence to it. */
  #watchCursor(): void {
    const { parser } = this.#terminal
    const show = (isVisible: boolean): false => {
      this.#isCursorVisible = isVisible
      return false
    }
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) => modes.includes(25) && show(true))
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (modes) => modes.includes(25) && show(false))
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => show(true))
    parser.registerEscHandler({ final: 'c' }, () => show(true))
  }
}
