/**
 * Who has much to draw waits here for the next turn: one turn between two looks at what has come in, whoever floods, so
 * that other sessions' input, output and waits go on.
 */

export class LongTurns {
  #waiting: (() => void)[] = []

  /** Called when it is this one's turn, in the order in which they came. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    if (this.#waiting.length === 1) this.#next()
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
