/** The pictures of a recording, row by row: what changes from one to the next is known, and nothing else need be drawn. */

import { drawRow, type FrameOptions, frameTimes, ScreenOfCast, type Theme } from '@agentpty/engine/picture'
import { limitReached, type Millis, type Size, type TermError } from '@agentpty/protocol'
import { type Cast, sizeOf } from '@agentpty/protocol/recording'

interface DrawnFrame {
  readonly at: Millis
  readonly shownAt: Millis
  /** Elements of each row, as if it was the first. */
  readonly rows: readonly string[]
  /** Characters of two columns are on it. */
  readonly hasWide: boolean
  /** How far in all of them, from 0 to 1. */
  readonly share: number
}

/** Yields the frames, without repetitions of the same picture. */
export async function* drawnFrames(cast: Cast, options: FrameOptions, theme: Theme): AsyncGenerator<DrawnFrame> {
  const screen = new ScreenOfCast(cast)
  const times = frameTimes(cast, options)
  let before: readonly string[] = []
  try {
    for (const [index, { at, shownAt }] of times.entries()) {
      await screen.showAt(at)
      const { cells, cursor } = screen.cells()
      const rows = cells.map((row, y) => drawRow(row, cursor?.row === y ? cursor : null, theme))
      const isSame = rows.length === before.length && rows.every((row, y) => row === before[y])
      before = rows
      if (isSame && index > 0) continue
      const hasWide = cells.some((row) => row.some(({ width }) => width > 1))
      yield { at, shownAt, rows, hasWide, share: index / times.length }
    }
  } finally {
    screen.close()
  }
}

/** Large enough for all sizes that it has had. */
export function largestSize({ cols, rows, events }: Cast): Size {
  const sizes = events.flatMap(({ code, data }) => (code === 'r' ? (sizeOf(data) ?? []) : []))
  return sizes.reduce<Size>(
    (most, size) => ({ cols: Math.max(most.cols, size.cols), rows: Math.max(most.rows, size.rows) }),
    { cols: Math.max(2, cols), rows },
  )
}

export function tooLarge(what: string, bytes: number): TermError {
  return limitReached(
    `The ${what} would be larger than ${bytes} bytes.`,
    'Shorten its rests (--idle 500ms), play it faster (--speed 4), or export html, which is smaller.',
  )
}
