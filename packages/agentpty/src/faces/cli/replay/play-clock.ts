/** The time in a recording that is played: faster or slower than ours, standing still, and over long rests in a jump. */

import type { Clock } from '../../../contracts/ports.ts'
import type { Cast } from '../../../contracts/recording/recordings-room.ts'
import type { Millis } from '../../../contracts/units.ts'

export class PlayClock {
  readonly #clock: Clock
  readonly #cast: Cast
  readonly #idleMs: Millis
  #speed: number
  #at: Millis
  /** When `#at` held; null while it stands still. */
  #since: Millis | null
  /** The first event behind `#at`. */
  #next = 0

  constructor(
    cast: Cast,
    clock: Clock,
    options: { readonly speed: number; readonly idleMs: Millis; readonly from: Millis },
  ) {
    this.#cast = cast
    this.#clock = clock
    this.#idleMs = options.idleMs
    this.#speed = options.speed
    this.#at = options.from
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
    if (this.#since !== null) this.#since = this.#clock.now()
    this.#speed = speed
  }

  /** Now. At the end it stands still. */
  get at(): Millis {
    if (this.#since === null) return this.#at
    const now = this.#clock.now()
    this.#at = this.#over((now - this.#since) * this.#speed)
    this.#since = now
    if (this.#at >= this.#cast.durationMs) this.pause()
    return this.#at
  }

  pause(): void {
    const { at } =
      this.#since === null ? { at: this.#at } : { at: this.#over((this.#clock.now() - this.#since) * this.#speed) }
    this.#at = at
    this.#since = null
  }

  /** From the beginning where it is at its end. */
  resume(): void {
    if (this.#at >= this.#cast.durationMs) this.seek(0)
    this.#since = this.#clock.now()
  }

  seek(at: Millis): void {
    this.#at = Math.max(0, Math.min(at, this.#cast.durationMs))
    this.#next = 0
    if (this.#since !== null) this.#since = this.#clock.now()
  }

  /** So much later, and at the next event where that is a long rest away. */
  #over(ms: Millis): Millis {
    const { events, durationMs } = this.#cast
    const to = this.#at + ms
    while ((events[this.#next]?.at ?? Number.POSITIVE_INFINITY) <= to) this.#next += 1
    const before = events[this.#next - 1]?.at ?? 0
    const next = events[this.#next]?.at ?? durationMs
    const rests = to - before > this.#idleMs && next - before > this.#idleMs
    return Math.min(durationMs, rests ? Math.max(to, next) : to)
  }
}
