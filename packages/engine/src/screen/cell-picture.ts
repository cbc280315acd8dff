/** The content of a terminal as plain cells, from which a picture is drawn. The cells are independent of the emulator. */

import type { Size } from '@agentpty/protocol'
import type { DrawnCell, DrawnRow } from './draw-rows.ts'
import type { Attributes } from './emulator-state.ts'
import { colorOf, isFlagged, underlineColorOf, underlineOf } from './style-codes.ts'
import type { CellStyle } from './terminal.ts'

/** A number is an index of the palette, a string `#rrggbb`, null the default colour. */
export type CellColor = number | string | null

export type Underline = 'none' | 'single' | 'double' | 'curly' | 'dotted' | 'dashed'

export interface PictureStyle extends Omit<CellStyle, 'underline'> {
  readonly underline: Underline
  /** Null: that of the text. */
  readonly underlineColor: CellColor
  readonly overline: boolean
}

/** One cell, or both halves of a wide one. */
export interface PictureCell {
  /** Empty where nothing was written. */
  readonly text: string
  readonly width: number
  readonly style: PictureStyle
}

export interface PictureCursor {
  /** Both count from 0. */
  readonly row: number
  readonly col: number
  readonly shape: 'block' | 'underline' | 'bar'
}

export interface CellPicture extends Size {
  readonly rows: number
  readonly cells: readonly (readonly PictureCell[])[]
  /** Null while it is hidden. */
  readonly cursor: PictureCursor | null
}

/** Cells of one style share its object, so that they are known to be alike without a look at each field. */
export function pictureRows(rows: readonly DrawnRow[]): CellPicture['cells'] {
  const known = new Map<string, PictureStyle>()
  const styleOf = (style: Attributes): PictureStyle => {
    const key = `${style.fg}/${style.bg}/${style.ext}`
    const found = known.get(key) ?? readStyle(style)
    known.set(key, found)
    return found
  }
  const cellOf = ({ text, width, style }: DrawnCell): PictureCell => ({ text, width, style: styleOf(style) })
  return rows.map(({ cells }) => cells.map(cellOf))
}

/** By the number of DECSCUSR. */
export function cursorShapeOf(shape: number | null): PictureCursor['shape'] {
  if (shape === 3 || shape === 4) return 'underline'
  return shape === 5 || shape === 6 ? 'bar' : 'block'
}

function readStyle(style: Attributes): PictureStyle {
  return {
    foreground: colorOf(style.fg),
    background: colorOf(style.bg),
    underline: underlineOf(style),
    underlineColor: underlineColorOf(style),
    bold: isFlagged(style, 'bold'),
    dim: isFlagged(style, 'dim'),
    italic: isFlagged(style, 'italic'),
    inverse: isFlagged(style, 'inverse'),
    invisible: isFlagged(style, 'invisible'),
    strikethrough: isFlagged(style, 'strikethrough'),
    overline: isFlagged(style, 'overline'),
  }
}
