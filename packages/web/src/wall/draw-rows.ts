/** Draws rows of a terminal on a canvas, as small as it is. */

import { type Color, type Run, runsOf, type Style } from './row-runs.ts'

export interface Theme {
  readonly background: string
  readonly foreground: string
  readonly cursor: string
  /** The sixteen named colours. */
  readonly palette: readonly string[]
}

export interface Grid {
  readonly cols: number
  readonly rows: number
}

export type Drawing = Pick<
  OffscreenCanvasRenderingContext2D,
  'fillStyle' | 'fillRect' | 'font' | 'fillText' | 'textBaseline' | 'globalAlpha' | 'canvas'
>

const fonts = '"DejaVu Sans Mono", Menlo, Consolas, monospace'
/** A cell is so many times as high as it is wide. */
const cellRatio = 2

export class RowPainter {
  readonly #context: Drawing
  #theme: Theme
  #grid: Grid
  #cell = { width: 1, height: 1 }

  constructor(context: Drawing, grid: Grid, theme: Theme) {
    this.#context = context
    this.#grid = grid
    this.#theme = theme
    this.resized()
  }

  set theme(theme: Theme) {
    this.#theme = theme
  }

  set grid(grid: Grid) {
    this.#grid = grid
    this.resized()
  }

  /** The canvas has another size. */
  resized(): void {
    const { width, height } = this.#context.canvas
    const { cols, rows } = this.#grid
    const byWidth = width / cols
    const byHeight = height / rows / cellRatio
    const cell = Math.min(byWidth, byHeight)
    this.#cell = { width: cell, height: cell * cellRatio }
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
    const [foreground, background] = this.#colors(style)
    const left = col * width
    if (background !== this.#theme.background) {
      context.fillStyle = background
      context.fillRect(left, top, cells * width, height)
    }
    if (style.isHidden || text.trim() === '') return
    context.font = `${style.isItalic ? 'italic ' : ''}${style.isBold ? 'bold ' : ''}${height * 0.82}px ${fonts}`
    context.textBaseline = 'middle'
    context.fillStyle = foreground
    context.globalAlpha = style.isDim ? 0.6 : 1
    context.fillText(text, left, top + height / 2, cells * width)
    context.globalAlpha = 1
    if (style.isUnderlined) context.fillRect(left, top + height * 0.92, cells * width, Math.max(1, height / 16))
  }

  #colors({ foreground, background, isInverse }: Style): readonly [string, string] {
    const { foreground: text, background: ground } = this.#theme
    const colors = [this.#color(foreground) ?? text, this.#color(background) ?? ground] as const
    return isInverse ? [colors[1], colors[0]] : colors
  }

  #color(color: Color): string | null {
    if (typeof color !== 'number') return color
    return this.#theme.palette[color] ?? fixedColor(color)
  }
}

/** Of the 256, those that no theme changes. */
export function fixedColor(index: number): string {
  if (index >= 232) return gray(8 + (index - 232) * 10)
  const at = index - 16
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40)
  return rgb(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6))
}

const gray = (level: number): string => rgb(level, level, level)
const rgb = (...parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
