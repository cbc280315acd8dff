/**
 * Recordings as lines: asciicast, version 3. Each event has the seconds since the one before it; times are whole milliseconds, so nothing is
 * lost by rounding. Lines that begin with # are comments, which players pass over.
 */

import { defined } from '../defined.ts'
import type { Millis, Size } from '../units.ts'

/** Output, input, a marker, another size, the exit. */
export type CastCode = 'o' | 'i' | 'm' | 'r' | 'x'

export interface CastAbout {
  readonly size: Size
  /** Wall time of the beginning. */
  readonly startedAt: number
  readonly command: string
  readonly title: string | null
}

/** Players shorten longer rests to this. */
const idleSecondsMax = 2

export function castHeader({ size, startedAt, command, title }: CastAbout): string {
  const header = defined({
    version: 3,
    term: { cols: size.cols, rows: size.rows, type: 'xterm-256color' },
    timestamp: Math.floor(startedAt / 1_000),
    idle_time_limit: idleSecondsMax,
    command,
    title: title ?? undefined,
  })
  return `${JSON.stringify(header)}\n`
}

export function castLine(afterMs: Millis, code: string, data: string): string {
  return `[${Math.max(0, Math.round(afterMs)) / 1_000}, "${code}", ${JSON.stringify(data)}]\n`
}

export const sizeText = ({ cols, rows }: Size): string => `${cols}x${rows}`
