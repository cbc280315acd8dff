/**
 * A screen that plays one piece of output and returns its lines, each with the index of the byte that began it.
 *
 * A row's *number* counts from the first row of this playing and does not change when rows above it are taken away.
 * Rows that scrolled off cannot change any more: they are taken before the emulator would drop them, and before the
 * program erases them, because a person had read them by then.
 */

import { controlByte } from '@agentpty/protocol/escapes'
import { writeRuns } from './screen-ansi.ts'
import { WholeCharacters } from './skim.ts'
import { type RenderedLine, type RenderedRow, trimBlanks } from './style-codes.ts'
import { type IBuffer, type IBufferLine, openTerminal, styledRuns, type Terminal, writeAtOnce } from './terminal.ts'

interface Row {
  readonly text: string
  /** The text with its styles; empty where no caller needs them. */
  readonly styled: string
  readonly wrapped: boolean
}

/** Where the lead ends: the row its line begins on, and its text. */
interface Lead {
  readonly row: number
  readonly text: string
}

const rows = 100
/** Rows are taken away from `takenRows` on; one piece of output scrolls by less than the rest. */
const scrollbackRows = 5_000
const takenRows = 2_000
const pieceBytes = 2_000
/** The first bytes of an output that are played synchronously: the emulator's own timer costs a millisecond for each piece. */
const atOnceBytes = 8_000
const columnsMin = 2
const { lineFeed } = controlByte
const carriageReturn = 0x0d

/** Abort whatever the last output ended in, then begin as if turned on. */
const resetBytes = Buffer.from('\x18\x1bc')
const eraseScrollback = Buffer.from('\x1b[3J')

export class ScratchScreen {
  readonly #terminal: Terminal = openTerminal({ cols: 80, rows, scrollbackRows })
  #taken: Row[] = []
  /** By row number: index of the byte that began it. */
  #offsets: number[] = []
  #leftAtOnce = 0
  #keepsStyles = false

  constructor() {
    const { parser } = this.#terminal
    parser.registerCsiHandler({ final: 'J' }, ([what]) => what === 3 && this.#takeScrollback())
    parser.registerEscHandler({ final: 'c' }, () => this.#onReset())
  }

  async render(
    bytes: Uint8Array,
    options: { readonly cols: number; readonly lead: Uint8Array },
  ): Promise<readonly RenderedLine[]> {
    this.#keepsStyles = false
    await this.#begin(options.cols)
    // A return before a line feed does nothing: a line that is cut between them is not one that is written over.
    const isCut = bytes[0] === lineFeed && options.lead.at(-1) === carriageReturn
    await this.#play(isCut ? options.lead.subarray(0, -1) : options.lead, () => 0)
    const lead = this.#leadHere()
    if (isCut) await this.#write(Uint8Array.of(carriageReturn))
    await this.#play(bytes, (index) => index)
    return this.#lines(lead)
  }

  /** Rows with their styles. Rows of the alternate screen are left out. `lead`: sequences in force before the first byte. */
  async renderRows(
    bytes: Uint8Array,
    options: { readonly cols: number; readonly lead: Uint8Array },
  ): Promise<readonly RenderedRow[]> {
    this.#keepsStyles = true
    await this.#begin(options.cols)
    await this.#write(options.lead)
    await this.#play(bytes, (index) => index)
    const { normal } = this.#terminal.buffer
    const end = this.#taken.length + normal.baseY + normal.cursorY
    const all = [...this.#taken, ...this.#readRows(normal, 0, normal.length)]
    const last = Math.max(end - 1, lastRowWithText(all))
    return all.slice(0, last + 1).map(({ text, styled, wrapped }, number) => ({
      text: trimBlanks(text),
      styled,
      offset: this.#offsets[number] ?? this.#offsets.at(-1) ?? 0,
      isWrapped: wrapped,
    }))
  }

  dispose(): void {
    this.#terminal.dispose()
  }

  async #begin(cols: number): Promise<void> {
    this.#leftAtOnce = atOnceBytes
    await this.#write(resetBytes)
    this.#taken = []
    this.#offsets = []
    this.#terminal.resize(Math.max(columnsMin, cols), rows)
  }

  /** Plays bytes in pieces that end with their lines, and notes for each new row which piece began it. */
  async #play(bytes: Uint8Array, offsetOf: (index: number) => number): Promise<void> {
    const characters = new WholeCharacters()
    let rowBefore = this.#cursorRow(0)
    for (let begin = 0; begin < bytes.length; ) {
      const end = pieceEnd(bytes, begin)
      await this.#write(characters.take(bytes.subarray(begin, end)))
      const row = this.#cursorRow(rowBefore)
      const isBegun = bytes[end - 1] !== lineFeed
      this.#noteRows(Math.max(rowBefore, isBegun ? row : row - 1), offsetOf(begin))
      if (this.#terminal.buffer.normal.baseY >= takenRows) await this.#write(eraseScrollback)
      begin = end
      rowBefore = row
    }
  }

  /** Writes a piece. In long output the later pieces let other work run in between. */
  #write(bytes: Uint8Array): Promise<void> | undefined {
    this.#leftAtOnce -= bytes.length
    if (this.#leftAtOnce >= 0 && writeAtOnce(this.#terminal, bytes)) return undefined
    return new Promise((resolve) => this.#terminal.write(bytes, resolve))
  }

  /** Number of the cursor's row; on the alternate screen, which is drawn over, the row where it was before. */
  #cursorRow(before: number): number {
    const { active } = this.#terminal.buffer
    return active.type === 'alternate' ? before : this.#taken.length + active.baseY + active.cursorY
  }

  #noteRows(last: number, offset: number): void {
    while (this.#offsets.length <= last) this.#offsets.push(offset)
  }

  /** @returns false: the emulator does the rest. */
  #takeScrollback(): false {
    const { active } = this.#terminal.buffer
    if (active.type === 'normal') this.#taken.push(...this.#readRows(active, 0, active.baseY))
    return false
  }

  #onReset(): false {
    const { normal } = this.#terminal.buffer
    this.#taken.push(...this.#readRows(normal, 0, normal.baseY))
    // The rows of the viewport are gone, and their numbers are used again.
    this.#offsets.length = Math.min(this.#offsets.length, this.#taken.length)
    return false
  }

  /** Written spaces are kept: a row that was broken by the width may end in one. */
  #readRows(buffer: IBuffer, first: number, end: number): Row[] {
    return Array.from({ length: Math.max(0, end - first) }, (_, index) => {
      const line = buffer.getLine(first + index)
      const text = line?.translateToString(true) ?? ''
      const styled = this.#keepsStyles ? styledText(line, text) : ''
      return { text, styled, wrapped: line?.isWrapped ?? false }
    })
  }

  #leadHere(): Lead {
    const { active } = this.#terminal.buffer
    const last = active.baseY + active.cursorY
    let first = last
    while (first > 0 && active.getLine(first)?.isWrapped) first -= 1
    const above = this.#readRows(active, first, last)
    const text = active.getLine(last)?.translateToString(false, 0, active.cursorX) ?? ''
    return { row: this.#taken.length + first, text: above.map((row) => row.text).join('') + text }
  }

  #lines(lead: Lead): readonly RenderedLine[] {
    const { active, normal, alternate } = this.#terminal.buffer
    const end = this.#taken.length + normal.baseY + normal.cursorY
    const all = [...this.#taken, ...this.#readRows(normal, 0, normal.length)]
    if (active.type === 'normal') return this.#linesOf(all, { lead, end })
    // The program is still on the alternate screen: that is what a person reads, below what was there before.
    const drawn = this.#readRows(alternate, 0, alternate.length)
    const last = this.#offsets.at(-1) ?? 0
    const lines = joinRows(drawn, { first: 0, last: lastRowWithText(drawn), offsetOf: () => last })
    return [...this.#linesOf(all, { lead, end }), ...lines]
  }

  #linesOf(all: readonly Row[], { lead, end }: { readonly lead: Lead; readonly end: number }): readonly RenderedLine[] {
    const last = Math.max(end - 1, lastRowWithText(all))
    const offsetOf = (row: number): number => this.#offsets[row] ?? this.#offsets.at(-1) ?? 0
    const lines = joinRows(all, { first: lead.row, last, offsetOf })
    const [first, ...others] = lines
    if (first === undefined) return []
    const text = withoutLead(first.text, lead.text)
    // Where the output ends on the row of the lead, the rest of the row is a line only if it has text.
    if (text === '' && others.length === 0 && end <= lead.row) return []
    return [{ ...first, text }, ...others]
  }
}

function pieceEnd(bytes: Uint8Array, begin: number): number {
  const found = bytes.indexOf(lineFeed, begin)
  return Math.min(found < 0 ? bytes.length : found + 1, begin + pieceBytes)
}

function styledText(line: IBufferLine | undefined, text: string): string {
  if (line === undefined || (text === '' && !isFilled(line))) return ''
  return writeRuns(styledRuns(line))
}

/** A row without text may still have a background. Inspecting each cell of empty rows would take long. */
const isFilled = (line: IBufferLine): boolean =>
  line.getCell(0)?.isBgDefault() === false || line.getCell(line.length - 1)?.isBgDefault() === false

function lastRowWithText(all: readonly Row[]): number {
  return all.findLastIndex((row) => trimBlanks(row.text) !== '')
}

interface JoinOptions {
  readonly first: number
  readonly last: number
  readonly offsetOf: (row: number) => number
}

function joinRows(all: readonly Row[], { first, last, offsetOf }: JoinOptions): RenderedLine[] {
  const lines: { text: string; offset: number }[] = []
  for (let number = first; number <= last; number += 1) {
    const row = all[number]
    if (row === undefined) break
    const line = lines.at(-1)
    if (row.wrapped && line !== undefined) line.text += row.text
    else lines.push({ text: row.text, offset: offsetOf(number) })
  }
  return lines.map(({ text, offset }) => ({ text: trimBlanks(text), offset }))
}

function withoutLead(text: string, lead: string): string {
  if (text.startsWith(lead)) return text.slice(lead.length)
  // The lead's own blanks were trimmed with the line's.
  return text === trimBlanks(lead) ? '' : text
}
