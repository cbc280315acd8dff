/** Styled rows as one HTML element: text is escaped, styles are inline, nothing is loaded and nothing can run. */

import { paletteColor } from './palette.ts'
import type { CellStyle, StyledRun } from './terminal.ts'
import { trimBlanks } from './trim-blanks.ts'

const foreground = '#e5e5e5'
const background = '#000000'

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
