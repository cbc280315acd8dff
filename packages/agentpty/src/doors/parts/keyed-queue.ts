/** Work on the same thing, one after the other in the order it came. Work on different things does not wait. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve()
    // How the work before it ended matters to its own caller only.
    const mine = before.then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
