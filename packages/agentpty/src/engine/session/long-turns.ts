/**
 * Who has much to draw, or to make a large answer of, waits here for the next turn: one turn between two reads of what has
 * come in, whoever floods, so that other sessions' input, output and waits go on.
 */

export class LongTurns {
  #waiting: (() => void)[] = []

  /** Called when it is this one's turn, in the order in which they came. */
  wait(call: () => void): void {
    this.#waiting.push(call)
    if (this.#waiting.length === 1) this.#next()
  }

  /** The same for whoever goes on behind it. */
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
