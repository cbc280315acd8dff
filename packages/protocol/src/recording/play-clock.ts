/** The time in a recording that is played: faster or slower than ours, standing still, and over long rests in a jump. */

import type { Clock } from '../ports.ts'
import type { Millis } from '../units.ts'

/** The played recording: only its times count here. */
interface PlayedTimes {
  /** In the order of time. */
  readonly events: readonly { readonly at: Millis }[]
  readonly durationMs: Millis
}

interface PlayOptions {
  readonly speed: number
  /** Longer rests are passed over after this. */
  readonly idleMs: Millis
  readonly from: Millis
}

export class PlayClock {
  readonly #clock: Pick<Clock, 'now'>
  readonly #played: PlayedTimes
  #idleMs: Millis
  #speed: number
  #at: Millis
  /** When `#at` held; null while it stands still. */
  #since: Millis | null

  constructor(played: PlayedTimes, clock: Pick<Clock, 'now'>, { speed, idleMs, from }: PlayOptions) {
    this.#played = played
    this.#clock = clock
    this.#idleMs = idleMs
    this.#speed = speed
    this.#at = from
    this.#since = clock.now()
  }

  get isPaused(): boolean {
    return this.#since === null
  }

  get speed(): number {
    return this.#speed
  }

  set speed(speed: number) {
    this.#at = this.at
    this.#speed = speed
  }

  get idleMs(): Millis {
    return this.#idleMs
  }

  set idleMs(idleMs: Millis) {
    this.#at = this.at
    this.#idleMs = idleMs
  }

  /** Now. At the end it stands still. */
  get at(): Millis {
    if (this.#since === null) return this.#at
    const now = this.#clock.now()
    this.#at = this.#over((now - this.#since) * this.#speed)
    this.#since = this.#at >= this.#played.durationMs ? null : now
    return this.#at
  }

  pause(): void {
    this.#at = this.at
    this.#since = null
  }

  /** From the beginning where it is at its end. */
  resume(): void {
    if (this.#at >= this.#played.durationMs) this.seek(0)
    this.#since ??= this.#clock.now()
  }

  seek(at: Millis): void {
    this.#at = Math.max(0, Math.min(at, this.#played.durationMs))
    if (this.#since !== null) this.#since = this.#clock.now()
  }

  /** Returns the time after this step, or the next event where a long pause is shortened. */
  #over(ms: Millis): Millis {
    const { events, durationMs } = this.#played
    const to = this.#at + ms
    const next = eventsUntil(events, to)
    const before = events[next - 1]?.at ?? 0
    const after = events[next]?.at ?? durationMs
    const rests = to - before > this.#idleMs && after - before > this.#idleMs
    return Math.min(durationMs, rests ? Math.max(to, after) : to)
  }
}

/** How many events there are up to this time. */
export function eventsUntil(events: PlayedTimes['events'], at: Millis): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

// Constants and helpers that all players share, in a terminal, in the page and in an exported page: steps, speeds,
// marks, and times in words.

/** How far the arrow keys go. */
export const seekMs: Millis = 5_000
/** Default limit of pauses: longer ones are shortened to this. */
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

/** Formats a time like `1:02:03` or `2:03`. */
export function lasted(seconds: number): string {
  const whole = Math.floor(seconds)
  const hours = Math.floor(whole / 3_600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = whole % 60
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
