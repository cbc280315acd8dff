/** The row below a recording that is played: where it is, how fast, and what runs. */

import type { Millis } from '@agentpty/protocol'
import { type Cast, lasted } from '@agentpty/protocol/recording'
import { cell } from '../table.ts'

export interface PlayStatus {
  readonly cast: Cast
  readonly at: Millis
  readonly speed: number
  readonly isPaused: boolean
  readonly cols: number
}

const barCells = 20

export function statusRow({ cast, at, speed, isPaused, cols }: PlayStatus): string {
  const { durationMs, markers } = cast
  const share = durationMs === 0 ? 1 : at / durationMs
  const done = Math.round(share * barCells)
  const bar = `${'━'.repeat(done)}${'─'.repeat(barCells - done)}`
  const label = markers.findLast((marker) => marker.at <= at)?.label ?? ''
  const state = at >= durationMs ? 'end' : isPaused ? 'paused' : `${speed}×`
  const text = ` ${bar} ${lasted(at / 1_000)}/${lasted(durationMs / 1_000)} ${state}  ${label}`
  const help = 'space ←→ n p + - q '
  const room = cols - help.length
  const shown = cell(text, Math.max(1, room > text.length ? room : cols))
  const rest = cols - shown.length
  return `\x1b[7m${shown}${rest > help.length ? ' '.repeat(rest - help.length) + help : ' '.repeat(Math.max(0, rest))}\x1b[0m`
}
