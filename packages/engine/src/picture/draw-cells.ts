/** Rows of cells as elements of an SVG picture. Each cell has its own position, whatever the widths of the font. */

import type { CellPicture, PictureCell, PictureCursor, Underline } from '../screen/cell-picture.ts'
import { baseline, cellHeight, cellWidth, rectangle, short } from './cell-size.ts'
import { type Glyph, glyphOf } from './glyphs.ts'
import { colorIn, mixed, type Theme } from './themes.ts'

interface Look {
  readonly color: string
  /** Null: that of the picture. */
  readonly ground: string | null
  readonly lineColor: string
  readonly isBold: boolean
  readonly isItalic: boolean
}

interface Placed {
  readonly cell: PictureCell
  readonly col: number
  readonly look: Look
}

/** The share of its colour that faint text keeps. */
const dimShare = 0.6

/** The elements of one row, which begins at the top of the picture. Rows that look the same give the same text. */
export function drawRow(cells: readonly PictureCell[], cursor: PictureCursor | null, theme: Theme): string {
  const placed = place(cells, cursor, theme)
  return [
    ...grounds(placed),
    ...drawn(placed),
    ...words(placed),
    ...placed.flatMap(lines),
    ...(cursor === null ? [] : cursorLine(cursor, theme)),
  ].join('')
}

/** The rows from the top of the picture on, each in its place. */
export function drawCells({ cells, cursor }: CellPicture, theme: Theme): string {
  return cells
    .map((row, index) => {
      const content = drawRow(row, cursor?.row === index ? cursor : null, theme)
      return content === '' ? '' : `<g transform="translate(0 ${index * cellHeight})">${content}</g>`
    })
    .join('')
}

function place(cells: readonly PictureCell[], cursor: PictureCursor | null, theme: Theme): readonly Placed[] {
  const placed: Placed[] = []
  let col = 0
  for (const cell of cells) {
    const isUnderCursor = cursor !== null && cursor.col >= col && cursor.col < col + cell.width
    placed.push({ cell, col, look: lookOf(cell, isUnderCursor && cursor.shape === 'block', theme) })
    col += cell.width
  }
  return placed
}

function lookOf({ style }: PictureCell, isCursor: boolean, theme: Theme): Look {
  const { isBold, isItalic } = { isBold: style.bold, isItalic: style.italic }
  if (isCursor) return { color: theme.background, ground: theme.cursor, lineColor: theme.background, isBold, isItalic }
  const text = colorIn(theme, style.foreground)
  const fill = colorIn(theme, style.background)
  const ground = style.inverse ? (text ?? theme.foreground) : fill
  const full = style.inverse ? (fill ?? theme.background) : (text ?? theme.foreground)
  const color = style.dim ? mixed(full, ground ?? theme.background, dimShare) : full
  return { color, ground, lineColor: colorIn(theme, style.underlineColor) ?? color, isBold, isItalic }
}

/** Neighbours of one colour as one area, so that no seam shows between them. */
function grounds(placed: readonly Placed[]): readonly string[] {
  const areas: { readonly fill: string; readonly from: number; to: number }[] = []
  for (const { cell, col, look } of placed) {
    if (look.ground === null) continue
    const last = areas.at(-1)
    if (last?.to === col && last.fill === look.ground) last.to += cell.width
    else areas.push({ fill: look.ground, from: col, to: col + cell.width })
  }
  return areas.map(
    ({ fill, from, to }) => `<path fill="${fill}" d="${rectangle(from * cellWidth, 0, to * cellWidth, cellHeight)}"/>`,
  )
}

/** Characters that are paths: neighbours that look alike as one element each. */
function drawn(placed: readonly Placed[]): readonly string[] {
  const elements: { readonly key: string; readonly attributes: string; uses: string }[] = []
  for (const { cell, col, look } of placed) {
    const glyph = cell.style.invisible ? null : glyphOf(cell.text)
    if (glyph === null) continue
    const attributes = paint(glyph, look)
    const last = elements.at(-1)
    const moved = shifted(glyph.path, col * cellWidth)
    if (last?.key === attributes) last.uses += moved
    else elements.push({ key: attributes, attributes, uses: moved })
  }
  return elements.map(({ attributes, uses }) => `<path ${attributes} d="${uses}"/>`)
}

function paint({ isStroke, opacity }: Glyph, { color, isBold }: Look): string {
  if (isStroke) return `fill="none" stroke="${color}"${isBold ? ' stroke-width="1.5"' : ''}`
  return opacity === 1 ? `fill="${color}"` : `fill="${color}" fill-opacity="${opacity}"`
}

/** A path further to the right. Its commands are M, L, H, V, Q and A with whole places, and those in small letters, which are relative. */
function shifted(path: string, by: number): string {
  if (by === 0) return path
  return path.replaceAll(/([MLHQA])([^A-Za-z]*)/g, (_, command: string, numbers: string) => {
    const values = numbers.trim().split(/\s+/).map(Number)
    const isX = (index: number) => (command === 'A' ? index === 5 : command === 'H' || index % 2 === 0)
    return command + values.map((value, index) => short(isX(index) ? value + by : value)).join(' ')
  })
}

/** Joins neighbours of one look into one element. Text with its own width, or of several code points, is an element of its own. */
function words(placed: readonly Placed[]): readonly string[] {
  const runs: {
    readonly attributes: string
    readonly from: number
    text: string
    to: number
    readonly isPlain: boolean
  }[] = []
  for (const { cell, col, look } of placed) {
    const { text, width, style } = cell
    if (text === '' || text === ' ' || style.invisible || glyphOf(text) !== null) continue
    const attributes = fontOf(look)
    const isPlain = width === 1 && /^[\x21-\x7e\xa1-\u024f]$/.test(text)
    const last = runs.at(-1)
    const gap = last === undefined ? 0 : col - last.to
    // A blank between two words is shorter than another element.
    if (last?.isPlain && isPlain && last.attributes === attributes && gap <= 1) {
      last.text += ' '.repeat(gap) + text
      last.to = col + width
    } else runs.push({ attributes, from: col, to: col + width, text, isPlain })
  }
  return runs.map(({ attributes, from, to, text, isPlain }) => {
    const width = (to - from) * cellWidth
    if (isPlain)
      return `<text x="${from * cellWidth}" y="${baseline}"${to - from > 1 ? ` textLength="${width}"` : ''}${attributes}>${escaped(text)}</text>`
    const middle = short(from * cellWidth + width / 2)
    return `<text x="${middle}" y="${baseline}" text-anchor="middle"${attributes}>${escaped(text)}</text>`
  })
}

function fontOf({ color, isBold, isItalic }: Look): string {
  return ` fill="${color}"${isBold ? ' font-weight="bold"' : ''}${isItalic ? ' font-style="italic"' : ''}`
}

function lines({ cell, col, look }: Placed): readonly string[] {
  const { underline, strikethrough, overline } = cell.style
  const from = col * cellWidth
  const to = (col + cell.width) * cellWidth
  return [
    ...(underline === 'none' ? [] : [lineUnder(underline, { from, to, color: look.lineColor })]),
    ...(strikethrough ? [`<path fill="${look.color}" d="${rectangle(from, 9, to, 10)}"/>`] : []),
    ...(overline ? [`<path fill="${look.color}" d="${rectangle(from, 0, to, 1)}"/>`] : []),
  ]
}

function cursorLine({ col, shape }: PictureCursor, { cursor }: Theme): readonly string[] {
  const left = col * cellWidth
  switch (shape) {
    case 'bar':
      return [`<path fill="${cursor}" d="${rectangle(left, 0, left + 2, cellHeight)}"/>`]
    case 'underline':
      return [`<path fill="${cursor}" d="${rectangle(left, cellHeight - 2, left + cellWidth, cellHeight)}"/>`]
    default:
      return []
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Control characters and lone halves of surrogates are no XML. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\x00-\x1f\x7f-\x9f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '')
}

interface Span {
  readonly from: number
  readonly to: number
  readonly color: string
}

const top = 15

/** The kinds of lines under text. Neighbouring cells join. */
function lineUnder(kind: Exclude<Underline, 'none'>, { from, to, color }: Span): string {
  switch (kind) {
    case 'single':
      return `<path fill="${color}" d="${rectangle(from, top, to, top + 1)}"/>`
    case 'double':
      return `<path fill="${color}" d="${rectangle(from, top, to, top + 1)}${rectangle(from, top + 2, to, top + 3)}"/>`
    case 'curly':
      return `<path fill="none" stroke="${color}" d="${waves(from, to)}"/>`
    case 'dotted':
      return stroked({ from, to, color }, '1.5 1.5')
    case 'dashed':
      return stroked({ from, to, color }, '3 1.5')
  }
}

/** One wave a cell. */
function waves(from: number, to: number): string {
  const quarter = 2.25
  const half = 4.5
  const count = Math.round((to - from) / (2 * half))
  return `M${from} ${top + 1}${`q${quarter} -3 ${half} 0q${quarter} 3 ${half} 0`.repeat(count)}`
}

function stroked({ from, to, color }: Span, dashes: string): string {
  return `<path fill="none" stroke="${color}" stroke-dasharray="${dashes}" d="M${from} ${top + 0.5}H${to}"/>`
}
