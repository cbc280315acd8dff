/**
 * A screen as an SVG picture: a pure function of its cells. Nothing is loaded by it and nothing in it can run; what common fonts
 * lack or draw with gaps is drawn as paths.
 */

import type { Size } from '@agentpty/protocol'
import type { CellPicture } from '../screen/cell-picture.ts'
import { cellHeight, cellWidth, fontSize, padding } from './cell-size.ts'
import { drawCells } from './draw-cells.ts'
import type { Theme } from './themes.ts'

/** The first one is ours; the others are what machines without it have. */
export const fontFamily = `'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace`

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Of a whole picture. */
export function pixelSize({ cols, rows }: Size): PixelSize {
  return { width: cols * cellWidth + 2 * padding, height: rows * cellHeight + 2 * padding }
}

export function writeSvg(picture: CellPicture, theme: Theme): string {
  return svgAround(
    pixelSize(picture),
    theme,
    `<g transform="translate(${padding} ${padding})">${drawCells(picture, theme)}</g>`,
  )
}

/** `content` on the ground of a theme. */
export function svgAround({ width, height }: PixelSize, { background }: Theme, content: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="${fontFamily}" font-size="${fontSize}" xml:space="preserve" role="img">`,
    '<title>A terminal</title>',
    `<path fill="${background}" d="M0 0H${width}V${height}H0z"/>${content}</svg>`,
  ].join('')
}
