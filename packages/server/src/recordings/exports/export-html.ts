/** A recording as one page that loads nothing. Each row is stored once, as SVG elements; each moment names the rows that it changes. */

import {
  cellHeight,
  escaped,
  fontFamily,
  fontSize,
  padding,
  pixelSize,
  playedTimes,
  themes,
} from '@agentpty/engine/picture'
import { type Cast, type ExportOptions, exportHtmlBytesMax, exportMomentsMax } from '@agentpty/protocol/recording'
import { drawnFrames, largestSize, tooLarge } from './drawn-frames.ts'

const gapMs = 33

/** The data that the page plays; `packages/agentpty/view/player.ts` reads it. */
export interface PlayedPage {
  readonly width: number
  readonly height: number
  readonly rowHeight: number
  readonly padding: number
  readonly fontSize: number
  readonly fontFamily: string
  readonly background: string
  readonly foreground: string
  /** Each row that there is, once, as the elements of an SVG. */
  readonly rows: readonly string[]
  /** Milliseconds, and then pairs: a row's number, and the index in `rows` of its text from then on. */
  readonly moments: readonly (readonly number[])[]
  /** In milliseconds, and what they say. */
  readonly markers: readonly (readonly [number, string])[]
  readonly lengthMs: number
}

/** `page`: the player, with places for the title and for what it plays. */
export async function* exportHtml(cast: Cast, options: ExportOptions, page: string): AsyncGenerator<string> {
  const played = await playedPage(cast, options)
  const title = escaped(cast.title ?? cast.command ?? 'A terminal')
  // Escaped: the text of a recording must not end the script that contains it.
  const data = JSON.stringify(played).replaceAll('<', '\\u003c')
  yield page.replace('__title__', () => title).replace('"__recording__"', () => data)
}

async function playedPage(cast: Cast, options: ExportOptions): Promise<PlayedPage> {
  const theme = themes[options.theme]
  const size = largestSize(cast)
  const known = new Map<string, number>([['', 0]])
  const moments: number[][] = []
  let before: readonly string[] = []
  let bytes = 0
  const frames = drawnFrames(cast, { ...options, speed: 1, gapMs, framesMax: exportMomentsMax }, theme)
  for await (const { rows, shownAt, share } of frames) {
    options.progress(share)
    const moment = [Math.round(shownAt)]
    for (let y = 0; y < size.rows; y += 1) {
      const row = rows[y] ?? ''
      if (row === (before[y] ?? '')) continue
      if (!known.has(row)) bytes += row.length
      known.set(row, known.get(row) ?? known.size)
      moment.push(y, known.get(row) ?? 0)
    }
    before = rows
    moments.push(moment)
    if (bytes > exportHtmlBytesMax) throw tooLarge('page', exportHtmlBytesMax)
  }
  return {
    ...pixelSize(size),
    rowHeight: cellHeight,
    padding,
    fontSize,
    fontFamily,
    background: theme.background,
    foreground: theme.foreground,
    rows: [...known.keys()],
    moments,
    markers: markersOf(cast, options),
    lengthMs: moments.at(-1)?.[0] ?? 0,
  }
}

/** At the times at which they are shown. */
function markersOf(cast: Cast, { idleMs }: ExportOptions): PlayedPage['markers'] {
  const times = playedTimes(cast, { speed: 1, idleMs })
  let next = 0
  return cast.markers.map(({ at, label }) => {
    while (times[next + 1] !== undefined && (times[next + 1]?.at ?? 0) <= at) next += 1
    return [Math.round(times[next]?.shownAt ?? 0), label] as const
  })
}
