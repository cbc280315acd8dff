/**
 * Characters that are drawn and not written, so that a picture depends on no font for them: box drawing, blocks, braille, Powerline, sextants
 * and the signs of agents that common fonts lack. Coordinates are those of one cell.
 */

import { boxLines, boxStroke } from './box-lines.ts'
import { cellHeight, cellWidth, circle, rectangle } from './cell-size.ts'

export interface Glyph {
  readonly path: string
  /** Stroked one pixel wide; else filled. */
  readonly isStroke: boolean
  /** Below 1 it is see-through. */
  readonly opacity: number
}

const w = cellWidth
const h = cellHeight

/** Returns the drawing of a character; null for text. */
export function glyphOf(text: string): Glyph | null {
  const code = text.codePointAt(0) ?? 0
  if (!ranges.some(([first, last]) => code >= first && code <= last)) return null
  const known = glyphs.get(code)
  if (known !== undefined) return known
  const glyph = drawGlyph(code)
  glyphs.set(code, glyph)
  return glyph
}

const glyphs = new Map<number, Glyph | null>()

const ranges = [
  [0x2500, 0x259f],
  [0x2800, 0x28ff],
  [0x23be, 0x23bf],
  [0x23f4, 0x23fa],
  [0x2b1d, 0x2b1d],
  [0xe0b0, 0xe0be],
  [0x1fb00, 0x1fb8b],
] as const

function drawGlyph(code: number): Glyph | null {
  const shade = shades.get(code)
  if (shade !== undefined) return { path: rectangle(0, 0, w, h), isStroke: false, opacity: shade }
  const stroke = boxStroke(code) ?? strokes.get(code)
  if (stroke !== undefined) return { path: stroke, isStroke: true, opacity: 1 }
  const path = boxLines(code) ?? blocks(code) ?? braille(code) ?? areas.get(code) ?? sextant(code)
  return path === null || path === undefined ? null : { path, isStroke: false, opacity: 1 }
}

const shades: ReadonlyMap<number, number> = new Map([
  [0x2591, 0.25],
  [0x2592, 0.5],
  [0x2593, 0.75],
])

/** Eighths of a cell, from below and from the left. */
function blocks(code: number): string | null {
  if (code >= 0x2581 && code <= 0x2588) return rectangle(0, h - (h * (code - 0x2580)) / 8, w, h)
  if (code >= 0x2589 && code <= 0x258f) return rectangle(0, 0, (w * (0x2590 - code)) / 8, h)
  if (code >= 0x1fb82 && code <= 0x1fb86) return rectangle(0, 0, w, (h * ([2, 3, 5, 6, 7][code - 0x1fb82] ?? 0)) / 8)
  if (code >= 0x1fb87 && code <= 0x1fb8b)
    return rectangle(w - (w * ([2, 3, 5, 6, 7][code - 0x1fb87] ?? 0)) / 8, 0, w, h)
  const quarters = quarterTable.get(code)
  return quarters === undefined ? null : grid(quarters, 2)
}

/** Bits from the left to the right and from above down. */
const quarterTable: ReadonlyMap<number, number> = new Map([
  [0x2580, 0b0011],
  [0x2590, 0b1010],
  [0x2596, 0b0100],
  [0x2597, 0b1000],
  [0x2598, 0b0001],
  [0x2599, 0b1101],
  [0x259a, 0b1001],
  [0x259b, 0b0111],
  [0x259c, 0b1011],
  [0x259d, 0b0010],
  [0x259e, 0b0110],
  [0x259f, 0b1110],
])

/** Two columns; the left one takes the pixel that cannot be shared. */
function grid(bits: number, rows: number): string {
  const middle = Math.ceil(w / 2)
  return Array.from({ length: 2 * rows }, (_, index) => index)
    .filter((index) => (bits >> index) & 1)
    .map((index) => {
      const row = index >> 1
      const top = (h * row) / rows
      const bottom = (h * (row + 1)) / rows
      return index % 2 === 0 ? rectangle(0, top, middle, bottom) : rectangle(middle, top, w, bottom)
    })
    .join('')
}

/** The sextants are the 64 patterns without those that are blocks: none, the halves, and all. */
function sextant(code: number): string | null {
  if (code < 0x1fb00 || code > 0x1fb3b) return null
  const index = code - 0x1fb00 + 1
  const withLeft = index >= 0b010101 ? index + 1 : index
  return grid(withLeft >= 0b101010 ? withLeft + 1 : withLeft, 3)
}

/** The dots of the eight bits: column and row. */
const dots = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const

function braille(code: number): string | null {
  if (code < 0x2800 || code > 0x28ff) return null
  return dots
    .filter((_, bit) => ((code - 0x2800) >> bit) & 1)
    .map(([col, row]) => circle(2.25 + 4.5 * col, 2.25 + 4.5 * row, 1.4))
    .join('')
}

/** Powerline’s filled separators, and signs of agents and of players. */
const areas: ReadonlyMap<number, string> = new Map([
  [0x2594, rectangle(0, 0, w, h / 8)],
  [0x2595, rectangle(w - w / 8, 0, w, h)],
  [0xe0b0, `M0 0L${w} ${h / 2}L0 ${h}z`],
  [0xe0b2, `M${w} 0L0 ${h / 2}L${w} ${h}z`],
  [0xe0b4, `M0 0A${w} ${h / 2} 0 0 1 0 ${h}z`],
  [0xe0b6, `M${w} 0A${w} ${h / 2} 0 0 0 ${w} ${h}z`],
  [0xe0b8, `M0 0L${w} ${h}H0z`],
  [0xe0ba, `M${w} 0V${h}H0z`],
  [0xe0bc, `M0 0H${w}L0 ${h}z`],
  [0xe0be, `M0 0H${w}V${h}z`],
  [0x23f4, 'M7.5 5V14L1.5 9.5z'],
  [0x23f5, 'M1.5 5V14L7.5 9.5z'],
  [0x23f6, 'M0.5 12.5H8.5L4.5 6.5z'],
  [0x23f7, 'M0.5 6.5H8.5L4.5 12.5z'],
  [0x23f8, rectangle(1.5, 5, 3.5, 14) + rectangle(5.5, 5, 7.5, 14)],
  [0x23f9, rectangle(1, 6, 8, 13)],
  [0x23fa, circle(4.5, 9.5, 3.5)],
  [0x2b1d, rectangle(3, 8, 6, 11)],
])

const strokes: ReadonlyMap<number, string> = new Map([
  [0x23be, `M2.5 ${h}V9.5H${w}`],
  [0x23bf, `M2.5 0V9.5H${w}`],
  [0xe0b1, `M0 0L${w - 0.5} ${h / 2}L0 ${h}`],
  [0xe0b3, `M${w} 0L0.5 ${h / 2}L${w} ${h}`],
  [0xe0b5, `M0 0A${w - 0.5} ${h / 2} 0 0 1 0 ${h}`],
  [0xe0b7, `M${w} 0A${w - 0.5} ${h / 2} 0 0 0 ${w} ${h}`],
])
