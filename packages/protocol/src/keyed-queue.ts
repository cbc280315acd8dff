/** Runs work with the same key one after the other, in the order it came. Work with different keys does not wait. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve()
    // How the work before it ended concerns only that work's own caller.
    const mine = before.then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
