/** Gives what is to be said aloud to whoever says it, a few things at once and never without a pause: nobody can listen to more. */

import type { Clock } from '@agentpty/protocol'

export interface AnnouncerParts {
  readonly clock: Clock
  readonly say: (words: string) => void
}

/** From one to the next. */
const gapMs = 3_000
/** Said at once, and kept until then; the rest is counted. */
const atOnceMax = 4

export class Announcer {
  readonly #parts: AnnouncerParts
  #waiting: string[] = []
  #leftOut = 0
  #isPausing = false

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  /** What waits already is not said twice. */
  add(words: readonly string[]): void {
    for (const one of words) {
      if (this.#waiting.includes(one)) continue
      if (this.#waiting.length < atOnceMax) this.#waiting.push(one)
      else this.#leftOut++
    }
    if (!this.#isPausing) this.#say()
  }

  #say(): void {
    const { clock, say } = this.#parts
    if (this.#waiting.length === 0) return
    const more = this.#leftOut === 0 ? [] : [`and ${this.#leftOut} more`]
    say([...this.#waiting, ...more].join('. '))
    this.#waiting = []
    this.#leftOut = 0
    this.#isPausing = true
    clock.callAt(clock.now() + gapMs, () => {
      this.#isPausing = false
      this.#say()
    })
  }
}
