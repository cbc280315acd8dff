/**
 * The viewport as bytes that draw it on another terminal of the same size: cells, modes, cursor.
 *
 * Written here, not with xterm's serialize addon: that one misplaces rows that were wrapped and then moved apart, and
 * cursors after full rows. The screen under an alternate one and the scrollback are not part of the viewport.
 */

import { esc } from '@agentpty/protocol/escapes'
import { trimBlanks } from './style-codes.ts'
import type { CellStyle, StyledRun } from './terminal.ts'

export interface Drawing {
  readonly rows: readonly (readonly StyledRun[])[]
  readonly modes: readonly number[]
  /** From 0. */
  readonly cursor: { readonly row: number; readonly col: number; readonly visible: boolean }
  readonly alternateScreen: boolean
}

export function writeAnsi({ rows, modes, cursor, alternateScreen }: Drawing): string {
  const screen = `${alternateScreen ? `${esc}[?1049h` : ''}${esc}[0m${esc}[2J`
  const drawn = rows.map((runs, row) => writeRow(runs, row)).join('')
  const on = modes.length > 0 ? `${esc}[?${modes.join(';')}h` : ''
  const position = `${esc}[${cursor.row + 1};${cursor.col + 1}H`
  return `${screen}${drawn}${esc}[0m${on}${position}${cursor.visible ? '' : `${esc}[?25l`}`
}

function writeRow(runs: readonly StyledRun[], row: number): string {
  const text = writeRuns(runs)
  return text === '' ? '' : `${esc}[${row + 1}H${text}`
}

/** The text of one row with its styles and links. The last style stays on; the last link is ended. */
export function writeRuns(runs: readonly StyledRun[]): string {
  let open = ''
  const text = runs.map((run, index) => {
    const { link = '' } = run
    const change = link === open ? '' : linkSequence(link)
    open = link
    return change + writeRun(run, index === runs.length - 1)
  })
  return text.join('') + (open === '' ? '' : linkSequence(''))
}

/** Begins a link; ends it for an empty target. */
const linkSequence = (target: string): string => `${esc}]8;;${target.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')}\x07`

function writeRun({ text, style }: StyledRun, isLast: boolean): string {
  const codes = sgrOf(style)
  if (codes.length > 0) return `${esc}[0;${codes.join(';')}m${text}`
  const shown = isLast ? trimBlanks(text) : text
  return shown === '' ? '' : `${esc}[0m${shown}`
}

function sgrOf(style: CellStyle): readonly (number | string)[] {
  return [
    ...(style.bold ? [1] : []),
    ...(style.dim ? [2] : []),
    ...(style.italic ? [3] : []),
    ...(style.underline ? [4] : []),
    ...(style.inverse ? [7] : []),
    ...(style.invisible ? [8] : []),
    ...(style.strikethrough ? [9] : []),
    ...colorCodes(38, style.foreground),
    ...colorCodes(48, style.background),
  ]
}

function colorCodes(code: 38 | 48, color: number | string | null): readonly (number | string)[] {
  if (color === null) return []
  if (typeof color === 'number') return [code, 5, color]
  const value = Number.parseInt(color.slice(1), 16)
  return [code, 2, value >> 16, (value >> 8) & 0xff, value & 0xff]
}
