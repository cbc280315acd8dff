/**
 * A pause after a lone Escape distinguishes it from the start of a longer key: what is typed next must wait, and until
 * the pause is over nobody can know what the program makes of it.
 */

import type { Clock, Millis } from '@agentpty/protocol'
import { controlByte } from '@agentpty/protocol/escapes'

/** Longer than programs wait for the rest of a key: vim and fzf 100 ms, readline and curses less or by configuration. */
const pauseMs = 150

export class EscapePause {
  readonly #clock: Clock
  #until: Millis = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The end of the pause that the last input began; in the past when it began none. */
  get until(): Millis {
    return this.#until
  }

  get isOn(): boolean {
    return this.#until > this.#clock.now()
  }

  /** Resolves when the pause is over. */
  over(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.callAt(this.#until, resolve)
    })
  }

  /** These bytes go to the program now. */
  sent(bytes: Uint8Array): void {
    if (bytes.at(-1) === controlByte.esc) this.#until = this.#clock.now() + pauseMs
  }
}
