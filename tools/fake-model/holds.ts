/** Answers that are held back until released: a model that is busy for exactly the wanted time. */

export class Holds {
  readonly #held = new Map<string, Set<() => void>>()

  get names(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** Resolves on release, or when the client has disconnected. */
  wait(name: string, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#held.get(name) ?? new Set()
      const end = () => {
        waiting.delete(end)
        if (waiting.size === 0) this.#held.delete(name)
        resolve()
      }
      if (gone.aborted) return resolve()
      gone.addEventListener('abort', end, { once: true })
      this.#held.set(name, waiting.add(end))
    })
  }

  /** Without a name, releases all. Returns the number of released answers. */
  release(name: string | null): number {
    const waiting = [...this.#held].flatMap(([held, ends]) => (name === null || name === held ? [...ends] : []))
    for (const end of waiting) end()
    return waiting.length
  }
}
