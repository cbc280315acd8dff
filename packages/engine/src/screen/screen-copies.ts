/** An immutable copy of what a person sees, at one offset of the log. Rows and columns count from 0. */

import type { Offset } from '@agentpty/protocol'
import { paletteColor, trimBlanks } from './style-codes.ts'
import type { CellStyle, StyledRun } from './terminal.ts'

export interface ScreenSnapshot {
  /** The bytes before it have been parsed, and no others. */
  readonly offset: Offset
  readonly cols: number
  readonly rows: number
  readonly cursor: ScreenCursor
  /** The title that the program set; empty when it did not. */
  readonly title: string
  readonly alternateScreen: boolean
  readonly modes: ScreenModes
  /** One string for each row of the viewport, trailing blanks trimmed. */
  readonly text: readonly string[]
  /** Whether a row continues the one above it, because a long line was wrapped. */
  readonly wrapped: readonly boolean[]
}

interface ScreenCursor {
  readonly row: number
  /** Inside the screen: a cursor that waits to wrap is on the last column. */
  readonly col: number
  readonly visible: boolean
}

interface ScreenModes {
  readonly applicationCursorKeys: boolean
  readonly bracketedPaste: boolean
  /** The program takes mouse events, whichever. */
  readonly mouse: boolean
}

const foreground = '#e5e5e5'
const background = '#000000'

/** Styled rows as one HTML element: text is escaped, styles are inline, nothing is loaded and nothing can run. */
export function writeHtml(rows: readonly (readonly StyledRun[])[]): string {
  const style = `color:${foreground};background:${background};font-family:monospace`
  return `<pre style="${style}">${rows.map(writeRow).join('\n')}</pre>`
}

function writeRow(runs: readonly StyledRun[]): string {
  const last = runs.at(-1)
  const isPlainEnd = last !== undefined && cssOf(last.style) === ''
  const shown = isPlainEnd ? [...runs.slice(0, -1), { ...last, text: trimBlanks(last.text) }] : runs
  return shown.map(writeRun).join('')
}

function writeRun({ text, style }: StyledRun): string {
  const css = cssOf(style)
  const content = escapeHtml(text)
  return css === '' ? content : `<span style="${css}">${content}</span>`
}

function cssOf(style: CellStyle): string {
  const text = cssColor(style.foreground)
  const fill = cssColor(style.background)
  const color = style.inverse ? (fill ?? background) : text
  const backgroundColor = style.inverse ? (text ?? foreground) : fill
  const lines = [style.underline ? 'underline' : '', style.strikethrough ? 'line-through' : ''].filter(Boolean)
  return [
    color === null ? '' : `color:${color}`,
    backgroundColor === null ? '' : `background:${backgroundColor}`,
    style.bold ? 'font-weight:bold' : '',
    style.italic ? 'font-style:italic' : '',
    style.dim ? 'opacity:0.6' : '',
    style.invisible ? 'visibility:hidden' : '',
    lines.length > 0 ? `text-decoration:${lines.join(' ')}` : '',
  ]
    .filter(Boolean)
    .join(';')
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** xterm's first sixteen colours. */
const namedColors: readonly string[] = [
  ...['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'],
  ...['#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff'],
]

const cssColor = (color: number | string | null): string | null =>
  typeof color === 'number' ? paletteColor(namedColors, color) : color
