/**
 * The emulator, and what we read from its rows. Only this room knows that it is xterm.
 *
 * Width follows grapheme clusters, as programs of today count it: a family emoji is two columns, not eight. The
 * packages are CommonJS, hence the default imports.
 */

// Imported first and alone: it must have run before the addon is loaded.
import './unpool-buffers.ts'

import { noneDropped } from '@agentpty/protocol/session'
import unicodeGraphemes from '@xterm/addon-unicode-graphemes'
import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless'
import headless from '@xterm/headless'
import { boundEmulator } from './bound-emulator.ts'
import { restoreBufferPool } from './unpool-buffers.ts'

export type { IBuffer, IBufferCell, IBufferLine, Terminal } from '@xterm/headless'

restoreBufferPool()

export interface TerminalOptions {
  readonly cols: number
  readonly rows: number
  readonly scrollbackRows: number
}

/** Opens a terminal with bounds. It counts what it leaves out in `dropped`. */
export function openTerminal({ cols, rows, scrollbackRows }: TerminalOptions, dropped = noneDropped()): Terminal {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: scrollbackRows,
    allowProposedApi: true,
    // Each report needs its permission. The title is never reported, because a program could type into the terminal by
    // setting it.
    windowOptions: { getWinSizeChars: true, pushTitle: true, popTitle: true },
    // It would write its warnings to our own output, which may be a protocol.
    logLevel: 'off',
  })
  // Activating it also makes it the active version.
  terminal.loadAddon(new unicodeGraphemes.UnicodeGraphemesAddon())
  boundEmulator(terminal, dropped)
  return terminal
}

interface Internals {
  readonly _core?: {
    writeSync?(bytes: Uint8Array): void
    readonly buffer?: { readonly scrollTop?: number; readonly scrollBottom?: number }
    readonly _inputHandler?: { readonly _parser?: { readonly currentState?: number } }
  }
}

/** No escape sequence is open. Where the emulator would not say, false. */
export function isGround(terminal: Terminal): boolean {
  return (terminal as Internals)._core?._inputHandler?._parser?.currentState === 0
}

/** States of the emulator's parser: in an OSC, a DCS, or another string. */
const stringStates: readonly (number | undefined)[] = [7, 8, 9, 10, 11, 12, 13, 14]

/** A string of an escape sequence is open. */
export function isInString(terminal: Terminal): boolean {
  return stringStates.includes((terminal as Internals)._core?._inputHandler?._parser?.currentState)
}

/** Plays bytes synchronously that would otherwise wait for the emulator's own timer. No bytes may be pending. */
export function writeAtOnce(terminal: Terminal, bytes: Uint8Array): boolean {
  const core = (terminal as Internals)._core
  if (core?.writeSync === undefined) return false
  core.writeSync(bytes)
  return true
}

/** New lines scroll through the whole screen into the scrollback: no sequence is open and no margins are set. False where it is unknown. */
export function scrollsWhole(terminal: Terminal): boolean {
  const { buffer, _inputHandler } = (terminal as Internals)._core ?? {}
  if (buffer?.scrollTop !== 0 || buffer.scrollBottom !== terminal.rows - 1) return false
  return _inputHandler?._parser?.currentState === 0 && terminal.buffer.active.type === 'normal'
}

/** The DEC private modes that a program turned on and that change what a terminal sends. */
export function modesOn({ modes }: Terminal): readonly number[] {
  const mouse = { none: null, x10: 9, vt200: 1000, drag: 1002, any: 1003 }[modes.mouseTrackingMode]
  return [
    ...(modes.applicationCursorKeysMode ? [1] : []),
    ...(modes.applicationKeypadMode ? [66] : []),
    ...(modes.sendFocusMode ? [1004] : []),
    ...(modes.bracketedPasteMode ? [2004] : []),
    ...(mouse === null ? [] : [mouse]),
  ]
}

export interface CellStyle {
  /** A number is a palette index, a string `#rrggbb`, null the default colour. */
  readonly foreground: number | string | null
  readonly background: number | string | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly strikethrough: boolean
  readonly invisible: boolean
}

/** Neighbouring cells of one style. */
export interface StyledRun {
  readonly text: string
  readonly style: CellStyle
  /** The target of the link that they are a part of. */
  readonly link?: string
}

/** Returns the target of the link that a cell is a part of; undefined for none. */
export type LinkOfCell = (cell: IBufferCell) => string | undefined

interface CellRange {
  readonly from?: number
  /** Exclusive. */
  readonly until?: number
  /** Without it, links are not read. */
  readonly linkOf?: LinkOfCell | undefined
}

/** The cells of the row, or of a part of it: a wide character that the border cuts in half is a blank. */
export function styledRuns(
  line: IBufferLine,
  { from = 0, until = line.length, linkOf }: CellRange = {},
): readonly StyledRun[] {
  const runs: StyledRun[] = []
  const end = Math.min(until, line.length)
  let cell: IBufferCell | undefined
  for (let col = from; col < end; col += 1) {
    cell = line.getCell(col, cell)
    // The right half of a wide character has no width; its left half represents both.
    if (cell === undefined || (cell.getWidth() === 0 && col > from)) continue
    const style = styleOf(cell)
    const link = linkOf?.(cell)
    const isCut = cell.getWidth() === 0 || col + cell.getWidth() > end
    const text = isCut ? ' ' : cell.getChars() || ' '
    const last = runs.at(-1)
    if (last !== undefined && last.link === link && isSameStyle(last.style, style))
      runs[runs.length - 1] = { ...last, text: last.text + text }
    else runs.push(link === undefined ? { text, style } : { text, style, link })
  }
  return runs
}

function styleOf(cell: IBufferCell): CellStyle {
  return {
    foreground: colorOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
    background: colorOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strikethrough: cell.isStrikethrough() !== 0,
    invisible: cell.isInvisible() !== 0,
  }
}

function colorOf(isDefault: boolean, isRgb: boolean, value: number): number | string | null {
  if (isDefault) return null
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value
}

function isSameStyle(a: CellStyle, b: CellStyle): boolean {
  return (
    a.foreground === b.foreground &&
    a.background === b.background &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.inverse === b.inverse &&
    a.strikethrough === b.strikethrough &&
    a.invisible === b.invisible
  )
}
