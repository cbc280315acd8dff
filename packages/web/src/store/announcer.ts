/** Groups announcements for screen readers: a few at a time with a pause between them, because listeners cannot follow more. */

import type { Clock } from '@agentpty/protocol'

export interface AnnouncerParts {
  readonly clock: Clock
  readonly say: (words: string) => void
}

/** The pause between two announcements. */
const gapMs = 3_000
/** The number of messages spoken together; further ones are counted. */
const messagesMax = 4

export class Announcer {
  readonly #parts: AnnouncerParts
  #waiting: string[] = []
  #leftOut = 0
  #isPausing = false

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  /** Ignores messages that already wait. */
  add(words: readonly string[]): void {
    for (const one of words) {
      if (this.#waiting.includes(one)) continue
      if (this.#waiting.length < messagesMax) this.#waiting.push(one)
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
