/** What all players share, in a terminal, in the page and in an exported page: steps, speeds, marks, and times in words. */

import type { Millis } from '../units.ts'

/** How far the arrow keys go. */
export const seekMs: Millis = 5_000
/** Longer rests are shortened to this, unless somebody says otherwise. */
export const idleMsDefault: Millis = 2_000
export const playSpeeds = [0.5, 1, 1.5, 2, 3, 4, 8, 16] as const
/** Right behind a mark its own beginning is not what is meant by the one before. */
const behindMarkMs: Millis = 1_000

export const fasterThan = (speed: number): number => playSpeeds.find((one) => one > speed) ?? speed
export const slowerThan = (speed: number): number => playSpeeds.findLast((one) => one < speed) ?? speed

interface At {
  readonly at: Millis
}

/** The next mark; null behind the last one. */
export const markAfter = <Mark extends At>(marks: readonly Mark[], at: Millis): Mark | null =>
  marks.find((mark) => mark.at > at) ?? null

/** The mark before; null before the first one. */
export const markBefore = <Mark extends At>(marks: readonly Mark[], at: Millis): Mark | null =>
  marks.findLast((mark) => mark.at < at - behindMarkMs) ?? null

/** As `1:02:03` or `2:03`. */
export function lasted(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
