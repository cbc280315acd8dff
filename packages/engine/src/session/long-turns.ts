/**
 * Sessions that have much to draw, and large answers, wait here for their turn: one turn between two reads of the
 * sockets, so that other sessions' input, output and waits go on during a flood.
 */

export class LongTurns {
  #waiting: (() => void)[] = []

  /** Calls when it is this caller's turn, in the order in which they came. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    if (this.#waiting.length === 1) this.#next()
  }

  /** Resolves when it is the caller's turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.wait(resolve))
  }

  #next(): void {
    setImmediate(() => {
      const [first] = this.#waiting
      try {
        first?.()
      } finally {
        this.#waiting.shift()
        if (this.#waiting.length > 0) this.#next()
      }
    })
  }
}

/** For all sessions of this process: they share its one thread. */
export const longTurns = new LongTurns()
