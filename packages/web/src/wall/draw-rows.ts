/** Draws the rows of a terminal on a small canvas. */

import { type Run, runsOf } from './row-runs.ts'
import { colorsOf, type Theme } from './run-colors.ts'

export interface Grid {
  readonly cols: number
  readonly rows: number
}

export type Drawing = Pick<
  OffscreenCanvasRenderingContext2D,
  'fillStyle' | 'fillRect' | 'font' | 'fillText' | 'textBaseline' | 'globalAlpha' | 'canvas'
>

/** The height of a cell divided by its width. */
const cellRatio = 2

export class RowPainter {
  readonly #context: Drawing
  #theme: Theme
  #grid: Grid
  #cell = { width: 1, height: 1 }
  /** The font last set on the context. Setting it is expensive, even to the same value. */
  #font = ''

  constructor(context: Drawing, grid: Grid, theme: Theme) {
    this.#context = context
    this.#grid = grid
    this.#theme = theme
    this.resized()
  }

  set theme(theme: Theme) {
    this.#theme = theme
    this.clear()
  }

  set grid(grid: Grid) {
    this.#grid = grid
    this.resized()
  }

  /** To be called after a resize of the canvas. */
  resized(): void {
    const { width, height } = this.#context.canvas
    const { cols, rows } = this.#grid
    const byWidth = width / cols
    const byHeight = height / rows / cellRatio
    const cell = Math.min(byWidth, byHeight)
    this.#cell = { width: cell, height: cell * cellRatio }
    // A resized canvas loses its font.
    this.#font = ''
    this.clear()
  }

  clear(): void {
    const { width, height } = this.#context.canvas
    this.#context.fillStyle = this.#theme.background
    this.#context.fillRect(0, 0, width, height)
  }

  row(index: number, text: string): void {
    const { width, height } = this.#cell
    const top = index * height
    this.#context.globalAlpha = 1
    this.#context.fillStyle = this.#theme.background
    this.#context.fillRect(0, top, this.#context.canvas.width, height)
    for (const run of runsOf(text)) this.#run(run, top, width, height)
  }

  cursor(at: { readonly row: number; readonly col: number }): void {
    const { width, height } = this.#cell
    this.#context.fillStyle = this.#theme.cursor
    this.#context.fillRect(at.col * width, at.row * height, Math.max(1, width), height)
  }

  #run({ text, col, width: cells, style }: Run, top: number, width: number, height: number): void {
    const context = this.#context
    const [foreground, background] = colorsOf(style, this.#theme)
    const left = col * width
    if (background !== this.#theme.background) {
      context.fillStyle = background
      context.fillRect(left, top, cells * width, height)
    }
    if (style.isHidden || text.trim() === '') return
    const font = `${style.isItalic ? 'italic ' : ''}${style.isBold ? 'bold ' : ''}${height * 0.82}px ${this.#theme.fontFamily}`
    if (font !== this.#font) {
      this.#font = font
      context.font = font
      context.textBaseline = 'middle'
    }
    context.fillStyle = foreground
    context.globalAlpha = style.isDim ? 0.6 : 1
    context.fillText(text, left, top + height / 2, cells * width)
    context.globalAlpha = 1
    if (style.isUnderlined) context.fillRect(left, top + height * 0.92, cells * width, Math.max(1, height / 16))
  }
}
