/** A GIF, frame by frame: each later one is a rectangle that changed, with colours of its own. */

import type { Millis } from '@agentpty/protocol'
import gifenc, { type Palette } from 'gifenc'
import type { Pixels } from './write-png.ts'

// Node knows the names of this CommonJS module only as parts of its default.
const { applyPalette, GIFEncoder, quantize, snapColorsToPalette } = gifenc

const colorsMax = 256
/** It stays as it is below the next frame. */
const keep = 1
/** Of the parts of a frame: the control block comes first, then the place of the rectangle. */
const placeAt = 8

export class GifWriter {
  readonly #encoder = GIFEncoder()
  readonly #known: Palette
  #isBegun = false

  /** `known`: colours, `#rrggbb`, that no palette may change. */
  constructor(known: readonly string[]) {
    this.#known = known.map((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))) as never
  }

  /** The bytes of the next frame, which is shown so long; the first one is as large as all of it. */
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
