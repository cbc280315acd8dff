/** Events and cancellation, as in the editor's module `vscode`. */

export class EventEmitter<Value> {
  readonly #listeners = new Set<(value: Value) => void>()

  readonly event = (listener: (value: Value) => void) => {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  fire(value: Value): void {
    for (const listener of [...this.#listeners]) listener(value)
  }

  dispose(): void {
    this.#listeners.clear()
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>()
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event }

  cancel(): void {
    this.token.isCancellationRequested = true
    this.#cancelled.fire()
  }

  dispose(): void {
    this.#cancelled.dispose()
  }
}
