/** A value that is looked at and listened to: the newest counts, and whoever comes late hears it at once. */
export class Held<Value> {
  readonly #listeners = new Set<(value: Value) => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  peek(): Value {
    return this.#value
  }

  set(value: Value): void {
    if (value === this.#value) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener(value)
  }

  /** The listener hears what it is at once, and then each change. Returns what stops it. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#value)
    return () => void this.#listeners.delete(listener)
  }
}
