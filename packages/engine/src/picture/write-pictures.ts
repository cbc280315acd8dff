/** A GIF, frame by frame: each later one is a rectangle that changed, with colours of its own. */

import { type Millis, machineUnfit, pictureBytesMax, pictureSidePixelsMax, type Size } from '@agentpty/protocol'
import type { RenderedImage, ResvgRenderOptions } from '@resvg/resvg-js'
import gifenc, { type Palette } from 'gifenc'
import type { CellPicture } from '../screen/cell-picture.ts'
import { cellHeight, cellWidth, fontSize, padding } from './cell-size.ts'
import { drawCells } from './draw-cells.ts'
import type { Theme } from './themes.ts'

// Node knows the names of this CommonJS module only as parts of its default.
const { applyPalette, GIFEncoder, quantize, snapColorsToPalette } = gifenc

const colorsMax = 256
/** The disposal method that keeps a frame below the next one. */
const keep = 1
/** The offset of the rectangle's position in a frame, after the control block. */
const placeAt = 8

export class GifWriter {
  readonly #encoder = GIFEncoder()
  readonly #known: Palette
  #isBegun = false

  /** `known`: colours, `#rrggbb`, that no palette may change. */
  constructor(known: readonly string[]) {
    this.#known = known.map((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))) as never
  }

  /** Returns the bytes of the next frame, which is shown for `delayMs`. The first frame covers the whole picture. */
  frame(pixels: Pixels, { top, delayMs }: { readonly top: number; readonly delayMs: Millis }): Uint8Array {
    const { palette, indexes } = this.#indexed(pixels.rgba)
    this.#encoder.stream.reset()
    this.#encoder.writeFrame(indexes, pixels.width, pixels.height, { palette, delay: delayMs, dispose: keep })
    const bytes = this.#encoder.bytes()
    if (this.#isBegun) new DataView(bytes.buffer, bytes.byteOffset).setUint16(placeAt + 3, top, true)
    this.#isBegun = true
    return bytes
  }

  end(): Uint8Array {
    this.#encoder.stream.reset()
    this.#encoder.finish()
    return this.#encoder.bytes()
  }

  /** Exactly, where there are few enough colours. */
  #indexed(rgba: Uint8Array): { readonly palette: Palette; readonly indexes: Uint8Array } {
    const exact = exactPalette(rgba)
    if (exact !== null) return exact
    const palette = quantize(rgba, colorsMax)
    snapColorsToPalette(palette, this.#known)
    return { palette, indexes: applyPalette(rgba, palette) }
  }
}

/** Null for more colours than a palette has. */
function exactPalette(rgba: Uint8Array): { readonly palette: Palette; readonly indexes: Uint8Array } | null {
  const known = new Map<number, number>()
  const indexes = new Uint8Array(rgba.length / 4)
  for (let pixel = 0; pixel < indexes.length; pixel += 1) {
    const at = pixel * 4
    const color = ((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0)
    let index = known.get(color)
    if (index === undefined) {
      if (known.size === colorsMax) return null
      index = known.size
      known.set(color, index)
    }
    indexes[pixel] = index
  }
  return {
    indexes,
    palette: [...known.keys()].map((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff] as const),
  }
}

// An SVG picture of ours as PNG, or as its pixels. The renderer is a package of its own that need not be there.

interface PngOptions {
  /** Files of fonts, TTF or OTF, the first of them ours. */
  readonly fonts: readonly string[]
  /** Those of the machine, too: for characters that ours lack. */
  readonly withSystemFonts: boolean
}

interface Png extends PixelSize {
  readonly bytes: Uint8Array
}

interface Pixels extends PixelSize {
  /** Red, green, blue and alpha of each, row by row. */
  readonly rgba: Uint8Array
}

/** The factor by which a picture is made smaller at each step, until it is small enough. */
const shrink = 0.7
const attemptsMax = 6

/** Within the bounds of pictures, scaled down where it is larger. Errors: `machine_unfit` without the renderer. */
export async function writePng(svg: string, size: PixelSize, options: PngOptions): Promise<Png> {
  const largest = Math.max(size.width, size.height)
  let scale = Math.min(1, pictureSidePixelsMax / largest)
  for (let attempt = 1; ; attempt += 1) {
    const image = await render(svg, { width: Math.max(1, Math.round(size.width * scale)), options })
    const bytes = image.asPng()
    if (bytes.length <= pictureBytesMax || attempt === attemptsMax)
      return { bytes, width: image.width, height: image.height }
    scale *= shrink
  }
}

/** At its full size. Errors: `machine_unfit` without the renderer. */
export async function drawPixels(svg: string, { width }: PixelSize, options: PngOptions): Promise<Pixels> {
  const image = await render(svg, { width, options })
  return { rgba: image.pixels, width: image.width, height: image.height }
}

async function render(
  svg: string,
  { width, options }: { readonly width: number; readonly options: PngOptions },
): Promise<RenderedImage> {
  const { renderAsync } = await renderer()
  const settings: ResvgRenderOptions = {
    fitTo: { mode: 'width', value: width },
    font: {
      fontFiles: [...options.fonts],
      loadSystemFonts: options.withSystemFonts,
      defaultFontFamily: 'DejaVu Sans Mono',
      monospaceFamily: 'DejaVu Sans Mono',
    },
  }
  return renderAsync(svg, settings)
}

/** Loaded when the first picture is drawn. */
async function renderer() {
  try {
    return await import('@resvg/resvg-js')
  } catch (error) {
    throw machineUnfit(
      `Pictures need the package @resvg/resvg-js, which cannot be loaded: ${(error as Error).message.split('\n')[0]}.`,
      'Install it beside agentpty (npm install -g @resvg/resvg-js@2.6.2), or take the format svg, which needs nothing.',
    )
  }
}

// A screen as an SVG picture: a pure function of its cells. Nothing is loaded by it and nothing in it can run; what common fonts
// lack or draw with gaps is drawn as paths.

/** The first one is ours; the others are what machines without it have. */
export const fontFamily = `'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace`

export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** Returns the size of a whole picture. */
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
