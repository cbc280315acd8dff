/**
 * Writes a terminal as text that makes another one of the same size, with the same emulator, what this one is: both buffers,
 * cursors, margins, modes, character sets and titles. What comes next has the same effect on both.
 */

import { defined } from '@agentpty/protocol'
import { esc } from '@agentpty/protocol/escapes'
import { titleCharactersMax } from '@agentpty/protocol/session'
import { type Drawing, type DrawnCell, type DrawnRow, drawRows, fullSequence, rowsOf, wide } from './draw-rows.ts'
import { type BufferState, charsetName, type EmulatorState, joining, stateOf, usCharset } from './emulator-state.ts'
import { isSameStyle, styleSequence } from './style-codes.ts'
import type { IBuffer, Terminal } from './terminal.ts'

export interface DrawTerminalOptions {
  readonly title: string
  /** Hides secrets in titles and in the targets of links. */
  readonly hideTitle?: (title: string) => string
  /** The number of newest rows above the screen; fewer where they exceed `scrollbackCharacters`. */
  readonly scrollbackRows: number
  readonly scrollbackCharacters: number
  /** Returns the rows of a buffer as they may be shown, with cells of the same widths. `cursor`: its position; null in the other buffer. */
  readonly hide?: (
    rows: readonly DrawnRow[],
    cursor: { readonly row: number; readonly col: number } | null,
  ) => readonly DrawnRow[]
}

export function drawTerminal(terminal: Terminal, options: DrawTerminalOptions): string {
  const state = stateOf(terminal)
  const drawing = defined({ terminal, hideLink: options.hideTitle })
  const { normal, alternate, isAlternate } = state
  const { buffer, rows: height } = terminal
  const active = isAlternate ? alternate : normal
  const rows = shownRows(terminal, buffer.normal, { at: normal, isActive: !isAlternate, options })
  const written = [
    // A new terminal, even if it had content before.
    `${esc}c${esc}[20l${esc}[?12l`,
    titles(state, options),
    drawRows(drawing, rows, { needed: height, charactersMax: options.scrollbackCharacters }),
    besidesRows(terminal, normal),
  ]
  const others = isAlternate ? shownRows(terminal, buffer.alternate, { at: alternate, isActive: true, options }) : rows
  if (isAlternate)
    written.push(
      `${esc}[?1047h${esc}[m${esc}[H`,
      drawRows(drawing, others, { needed: height }),
      besidesRows(terminal, alternate),
    )
  const sets = charsets(terminal, state, active)
  written.push(modes(state), cursor(drawing, state, active, { row: others.at(active.y - height), sets }))
  return written.join('')
}

/** With as much of the scrollback as is asked for. */
function shownRows(
  terminal: Terminal,
  buffer: IBuffer,
  {
    at,
    isActive,
    options,
  }: { readonly at: BufferState; readonly isActive: boolean; readonly options: DrawTerminalOptions },
): readonly DrawnRow[] {
  const count = Math.min(at.ybase, options.scrollbackRows)
  const rows = rowsOf(buffer, at.ybase - count, at.ybase + terminal.rows)
  return options.hide?.(rows, isActive ? { row: count + at.y, col: at.x } : null) ?? rows
}

function titles(
  { titles, iconNames, iconName }: EmulatorState,
  { title, hideTitle = (text) => text }: DrawTerminalOptions,
): string {
  const cut = (text: string) => hideTitle(text).slice(0, titleCharactersMax)
  const icon = (text: string) => `${esc}]1;${cut(text)}\x07`
  const window = (text: string) => `${esc}]2;${cut(text)}\x07`
  return [
    ...titles.map((one) => `${window(one)}${esc}[22;2t`),
    ...iconNames.map((one) => `${icon(one)}${esc}[22;1t`),
    window(title),
    icon(iconName),
  ].join('')
}

/** Tab stops, margins and the saved cursor of the buffer that is active. */
function besidesRows(terminal: Terminal, buffer: BufferState): string {
  return tabStops(terminal.cols, buffer) + margins(terminal.rows, buffer) + savedCursor(terminal, buffer)
}

const tabWidth = 8

function tabStops(cols: number, { tabs }: BufferState): string {
  const columns = Array.from({ length: cols }, (_, col) => col)
  if (columns.every((col) => (tabs[col] === true) === (col % tabWidth === 0))) return ''
  const stops = columns.filter((col) => tabs[col] === true)
  return `${esc}[3g${stops.map((col) => `${esc}[${col + 1}G${esc}H`).join('')}`
}

function margins(rows: number, { scrollTop, scrollBottom }: BufferState): string {
  return scrollTop === 0 && scrollBottom === rows - 1 ? '' : `${esc}[${scrollTop + 1};${scrollBottom + 1}r`
}

function savedCursor(terminal: Terminal, buffer: BufferState): string {
  const { cols, rows } = terminal
  const { savedX, savedY, ybase, savedCurAttrData: style } = buffer
  const row = Math.min(Math.max(savedY - ybase, 0), rows - 1)
  const col = Math.min(savedX, cols - 1)
  const name = charsetName(buffer.savedCharset, terminal)
  if (row === 0 && col === 0 && style.fg === 0 && style.bg === 0 && name === usCharset) return ''
  // The kind of underline is that in force when the cursor is restored.
  const styled = styleSequence({ fg: style.fg, bg: style.bg, ext: simplyUnderlined })
  return `${esc}[${row + 1};${col + 1}H${styled}${esc}(${name}${esc}7${esc}(${usCharset}${esc}[m`
}

const simplyUnderlined = 1 << 26

const shifts = ['\x0f', '\x0e', `${esc}n`, `${esc}o`]

interface Charsets {
  readonly sequence: string
  /** It brings the saved cursor back. */
  readonly movesCursor: boolean
}

function charsets(
  terminal: Terminal,
  { charsets: names, glevel, charset }: EmulatorState,
  { savedCharset }: BufferState,
): Charsets {
  const designated = names.map((name, g) => (name === usCharset ? '' : `${esc}${'()*+'[g]}${name}`)).join('')
  const shift = glevel === 0 ? '' : shifts[glevel]
  // A cursor that was restored has brought the character set that it was saved with.
  const movesCursor = charset !== names[glevel] && charset === charsetName(savedCharset, terminal)
  return { sequence: `${designated}${shift}${movesCursor ? `${esc}8` : ''}`, movesCursor }
}

function modes({ modesOn, modesOff, newLine, cursorShape }: EmulatorState): string {
  return [
    modesOn.length === 0 ? '' : `${esc}[?${modesOn.join(';')}h`,
    modesOff.length === 0 ? '' : `${esc}[?${modesOff.join(';')}l`,
    newLine ? `${esc}[20h` : '',
    cursorShape === null ? '' : `${esc}[${cursorShape} q`,
  ].join('')
}

/** Ends with the style that is on, and with the character before the cursor where the next one may join it. */
function cursor(
  drawing: Drawing,
  state: EmulatorState,
  { x, y, scrollTop }: BufferState,
  { row, sets }: { readonly row: DrawnRow | undefined; readonly sets: Charsets },
): string {
  const { terminal } = drawing
  const { isOrigin, isInserting, attributes, joinState } = state
  const line = isOrigin ? y - scrollTop : y
  const to = (col: number) => `${esc}[${line + 1};${col + 1}H`
  const before = cellBefore(row, x)
  const origin = isOrigin ? `${esc}[?6h` : ''
  const inserting = isInserting ? `${esc}[4h` : ''
  const style = fullSequence(drawing, attributes)
  // Without wrapping, a wide character is dropped in the last column. The next one may still join the cell before it.
  const isWritten = before !== null && before.cell.text !== '' && isSameStyle(before.cell.style, attributes)
  if (joinState !== 0 && !isWritten && !terminal.modes.wraparoundMode && x === terminal.cols - 1)
    return `${sets.sequence}${origin}${inserting}${style}${to(x)}${wide}`
  if (joinState !== 0 && before !== null && before.cell.text !== '') {
    const { cell, col } = before
    // Where characters are inserted, the first code point makes room for itself; what joins it writes over the next cell.
    const { width } = joining(terminal, cell.text.codePointAt(0) ?? 0, 0)
    const room = isInserting ? `${esc}[${width}P` : ''
    return `${sets.sequence}${origin}${inserting}${to(col)}${room}${fullSequence(drawing, cell.style)}${isSameStyle(cell.style, attributes) ? '' : style}${cell.text}`
  }
  const isWrapping = row !== undefined && x >= columnsOf(row)
  if (!isWrapping || before === null) return `${sets.sequence}${origin}${to(x)}${inserting}${style}`
  const { cell, col } = before
  const written = `${origin}${to(col)}${fullSequence(drawing, cell.style)}${cell.text || ' '}`
  // The cell's text is written in the default character set where possible.
  return `${sets.movesCursor ? sets.sequence + written : written + sets.sequence}${inserting}${style}`
}

const columnsOf = ({ cells }: DrawnRow): number => cells.reduce((sum, { width }) => sum + width, 0)

function cellBefore(row: DrawnRow | undefined, x: number): { readonly cell: DrawnCell; readonly col: number } | null {
  let col = 0
  for (const cell of row?.cells ?? []) {
    if (col + cell.width >= x) return x === 0 ? null : { cell, col }
    col += cell.width
  }
  return null
}
