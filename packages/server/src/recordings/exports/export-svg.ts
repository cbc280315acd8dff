/** A recording as one SVG: its last screen, or all of it, played by style rules alone. */

import {
  drawCells,
  frameTimes,
  padding,
  pixelSize,
  ScreenOfCast,
  svgAround,
  themes,
  writeSvg,
} from '@agentpty/engine/picture'
import type { Size } from '@agentpty/protocol'
import { type Cast, type ExportOptions, exportPicturesMax, exportSvgBytesMax } from '@agentpty/protocol/recording'
import { tooLarge } from './drawn-frames.ts'

/** Between two pictures: thirty in a second are more than a page moves well. */
const gapMs = 66
/** The last picture stays for this time before the animation restarts. */
const endMs = 2_000

export async function* exportSvg(cast: Cast, options: ExportOptions): AsyncGenerator<string> {
  const screen = new ScreenOfCast(cast)
  try {
    if (options.isStill) {
      await screen.showAt(cast.durationMs)
      yield writeSvg(screen.cells(), themes[options.theme])
    } else yield await animated(cast, screen, options)
  } finally {
    screen.close()
  }
}

/** Each picture is a layer that is shown for its time. Pictures that look the same are one layer. */
async function animated(cast: Cast, screen: ScreenOfCast, options: ExportOptions): Promise<string> {
  const theme = themes[options.theme]
  const times = frameTimes(cast, { ...options, gapMs, framesMax: exportPicturesMax })
  const total = (times.at(-1)?.shownAt ?? 0) + endMs
  const layers: { readonly content: string; readonly from: number }[] = []
  let bytes = 0
  let size: Size = { cols: cast.cols, rows: cast.rows }
  for (const [index, { at, shownAt }] of times.entries()) {
    await screen.showAt(at)
    const cells = screen.cells()
    size = { cols: Math.max(size.cols, cells.cols), rows: Math.max(size.rows, cells.rows) }
    const content = drawCells(cells, theme)
    if (layers.at(-1)?.content !== content) layers.push({ content, from: shownAt })
    bytes += content.length
    if (bytes > exportSvgBytesMax) throw tooLarge('SVG', exportSvgBytesMax)
    options.progress(index / times.length)
  }
  const drawn = layers.map(({ content, from }, index) => {
    const begin = share(from, total)
    const end = share(layers[index + 1]?.from ?? total, total)
    const rule = `@keyframes f${index}{0%,${begin}%{visibility:hidden}${begin}%,${end}%{visibility:visible}${end}%,100%{visibility:hidden}}`
    return {
      rule: index === 0 ? rule.replace('0%,0%{visibility:hidden}', '') : rule,
      layer: `<g class="f" style="animation-name:f${index}">${content}</g>`,
    }
  })
  const style = `<style>.f{visibility:hidden;animation:${short(total / 1_000)}s step-end infinite}${drawn.map(({ rule }) => rule).join('')}</style>`
  const content = `${style}<g transform="translate(${padding} ${padding})">${drawn.map(({ layer }) => layer).join('')}</g>`
  return svgAround(pixelSize(size), theme, content)
}

const share = (ms: number, total: number) => short((ms / total) * 100)
const short = (value: number) => String(Math.round(value * 1_000) / 1_000)
