/** A map with at most `max` entries: the one that was written first is evicted first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number
  readonly #onEvicted: (value: Value) => void

  /** @param onEvicted - Called with the value of an entry that made room for a newer one. */
  constructor(max: number, onEvicted: (value: Value) => void = () => undefined) {
    this.#max = max
    this.#onEvicted = onEvicted
  }

  /** All entries, the oldest first. */
  get entries(): ReadonlyMap<Key, Value> {
    return this.#entries
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** The entry is the newest from now on. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const [oldest, evicted] of this.#entries) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(oldest)
      this.#onEvicted(evicted)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
