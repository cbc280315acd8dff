/** What is remembered between calls: the newest `max` entries. What was written first is forgotten first. */

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Counts as the newest from now on. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    for (const first of this.#entries.keys()) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(first)
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }
}
