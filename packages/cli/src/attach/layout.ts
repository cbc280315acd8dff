/** How many terminals fit on one terminal, and where. */

import type { Size } from '@agentpty/protocol'
import type { Area } from './window.ts'

/** Smaller areas show nothing that a person can follow. */
const tileMin: Size = { cols: 30, rows: 6 }
const ideal: Size = { cols: 80, rows: 24 }

/** At most `count` areas, side by side and below each other; fewer where there is no room for all. */
export function tiles(count: number, { cols, rows }: Size): readonly Area[] {
  const across = bestAcross(count, { cols, rows })
  const down = Math.max(1, Math.min(Math.ceil(count / across), Math.floor(rows / tileMin.rows)))
  const width = Math.floor(cols / across)
  const height = Math.floor(rows / down)
  return Array.from({ length: Math.min(count, across * down) }, (_, at) => {
    const [row, col] = [Math.floor(at / across), at % across]
    return { top: row * height, left: col * width, cols: width, rows: height }
  })
}

/** The grid whose areas come closest to an ordinary terminal. */
function bestAcross(count: number, { cols, rows }: Size): number {
  const most = Math.max(1, Math.min(count, Math.floor(cols / tileMin.cols)))
  const choices = Array.from({ length: most }, (_, at) => at + 1)
  const likeness = (across: number) =>
    Math.min(cols / across / ideal.cols, rows / Math.ceil(count / across) / ideal.rows)
  return choices.reduce((best, one) => (likeness(one) > likeness(best) ? one : best), 1)
}
