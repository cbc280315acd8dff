/** What is remembered of many: the newest `max` entries. What was written first is forgotten first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number
  readonly #onForgotten: (value: Value) => void

  /** @param onForgotten - Called for an entry that made room for a newer one. */
  constructor(max: number, onForgotten: (value: Value) => void = () => undefined) {
    this.#max = max
    this.#onForgotten = onForgotten
  }

  /** Those that are kept, the oldest first. */
  get entries(): ReadonlyMap<Key, Value> {
    return this.#entries
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Counts as the newest from now on. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest, forgotten] of this.#entries) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(oldest)
      this.#onForgotten(forgotten)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
