/** A recording as a GIF. Of each picture only the rows that changed are drawn and kept. */

import {
  cellHeight,
  drawPixels,
  GifWriter,
  type PixelSize,
  padding,
  pixelSize,
  svgAround,
  type Theme,
  themes,
} from '@agentpty/engine/picture'
import type { Size } from '@agentpty/protocol'
import { type Cast, type ExportOptions, exportGifBytesMax, exportPicturesMax } from '@agentpty/protocol/recording'
import { drawnFrames, largestSize, tooLarge } from './drawn-frames.ts'

/** Players show no more than fifty in a second, and twelve are enough for a terminal. */
const gapMs = 80
const endMs = 2_000

/** A part of the picture that has changed, and since when it is shown. */
interface Change {
  readonly svg: string
  readonly size: PixelSize
  readonly top: number
  readonly shownAt: number
  readonly hasWide: boolean
}

export async function* exportGif(
  cast: Cast,
  options: ExportOptions,
  fonts: readonly string[],
): AsyncGenerator<Uint8Array> {
  const theme = themes[options.theme]
  const writer = new GifWriter([theme.background, theme.foreground])
  let waiting: Change | null = null
  let bytes = 0
  const draw = async ({ svg, size, top, shownAt, hasWide }: Change, until: number) => {
    const pixels = await drawPixels(svg, size, { fonts, withSystemFonts: hasWide })
    const frame = writer.frame(pixels, { top, delayMs: until - shownAt })
    bytes += frame.length
    if (bytes > exportGifBytesMax) throw tooLarge('GIF', exportGifBytesMax)
    return frame
  }
  for await (const change of changes(cast, options, theme)) {
    if (waiting !== null) yield await draw(waiting, change.shownAt)
    waiting = change
  }
  if (waiting !== null) yield await draw(waiting, waiting.shownAt + endMs)
  yield writer.end()
}

async function* changes(cast: Cast, options: ExportOptions, theme: Theme): AsyncGenerator<Change> {
  const whole = largestSize(cast)
  let before: readonly string[] | null = null
  const frames = drawnFrames(cast, { ...options, gapMs, framesMax: exportPicturesMax }, theme)
  for await (const { rows, shownAt, hasWide, share } of frames) {
    options.progress(share)
    const all = Array.from({ length: whole.rows }, (_, row) => rows[row] ?? '')
    yield { ...changedPart(before, all, { whole, theme }), shownAt, hasWide }
    before = all
  }
}

function changedPart(
  before: readonly string[] | null,
  rows: readonly string[],
  { whole, theme }: { readonly whole: Size; readonly theme: Theme },
): Pick<Change, 'svg' | 'size' | 'top'> {
  const size = pixelSize(whole)
  if (before === null) return { svg: svgAround(size, theme, group(rows, padding)), size, top: 0 }
  const first = rows.findIndex((row, y) => row !== before[y])
  const last = rows.findLastIndex((row, y) => row !== before[y])
  const part = { width: size.width, height: (last - first + 1) * cellHeight }
  return {
    svg: svgAround(part, theme, group(rows.slice(first, last + 1), 0)),
    size: part,
    top: padding + first * cellHeight,
  }
}

function group(rows: readonly string[], top: number): string {
  return rows
    .map((row, y) => (row === '' ? '' : `<g transform="translate(${padding} ${top + y * cellHeight})">${row}</g>`))
    .join('')
}
