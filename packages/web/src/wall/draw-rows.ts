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
/** The width of a cell whose letter can be read, in CSS pixels. */
const readableCell = 6

/** How a screen is fitted into the canvas. */
export interface Fit {
  /** All columns and rows are shown, however small; otherwise letters can be read, and the rows at the end are shown. */
  readonly isWhole: boolean
  /** The pixels of the canvas for each CSS pixel. */
  readonly scale: number
}

export class RowPainter {
  readonly #context: Drawing
  #theme: Theme
  #grid: Grid
  #fit: Fit = { isWhole: true, scale: 1 }
  #cell = { width: 1, height: 1 }
  /** The first row that is shown, and the number of rows that have room. */
  #top = 0
  #rows = 0
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

  /** Returns true if all must be drawn again. */
  fit(fit: Fit): boolean {
    if (fit.isWhole === this.#fit.isWhole && fit.scale === this.#fit.scale) return false
    this.#fit = fit
    this.resized()
    return true
  }

  /** Shows the rows up to `end` (exclusive). Returns true if all must be drawn again. */
  showUpTo(end: number): boolean {
    const top = Math.max(0, Math.min(end, this.#grid.rows) - this.#rows)
    if (top === this.#top) return false
    this.#top = top
    return true
  }

  /** To be called after a resize of the canvas. */
  resized(): void {
    const { width, height } = this.#context.canvas
    const { cols, rows } = this.#grid
    const { isWhole, scale } = this.#fit
    const whole = Math.min((width - 2 * this.#inset) / cols, height / rows / cellRatio)
    const cell = isWhole ? whole : Math.max(whole, readableCell * scale)
    this.#cell = { width: cell, height: cell * cellRatio }
    this.#rows = cell === whole ? rows : Math.max(1, Math.floor(height / this.#cell.height))
    this.#top = 0
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
    if (index < this.#top || index >= this.#top + this.#rows) return
    const { width, height } = this.#cell
    const top = (index - this.#top) * height
    this.#context.globalAlpha = 1
    this.#context.fillStyle = this.#theme.background
    this.#context.fillRect(0, top, this.#context.canvas.width, height)
    const shownCols = this.#context.canvas.width / width
    for (const run of runsOf(text)) if (run.col < shownCols) this.#run(run, top, width, height)
  }

  cursor(at: { readonly row: number; readonly col: number }): void {
    const { width, height } = this.#cell
    if (at.row < this.#top) return
    this.#context.fillStyle = this.#theme.cursor
    this.#context.fillRect(this.#inset + at.col * width, (at.row - this.#top) * height, Math.max(1, width), height)
  }

  /** Letters may begin a little to the left of their cell. */
  get #inset(): number {
    return Math.ceil(this.#fit.scale)
  }

  #run({ text, col, width: cells, style }: Run, top: number, width: number, height: number): void {
    const context = this.#context
    const [foreground, background] = colorsOf(style, this.#theme)
    const left = this.#inset + col * width
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
