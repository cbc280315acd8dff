/** A value that can be read and subscribed to. A new listener immediately receives the current value. */
export class Observable<Value> {
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

  /** Calls the listener immediately and after each change. Returns a function that unsubscribes. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#value)
    return () => void this.#listeners.delete(listener)
  }
}
