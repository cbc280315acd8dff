/** What is done in its order as soon as whoever is served has their answer. */

/** More than this is done at once: what waits holds what it is about. */
const waitingMax = 1_000

export class Soon {
  readonly #failed: (error: unknown) => void
  #waiting: (() => void)[] = []

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  do(step: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.now())
    this.#waiting.push(step)
    if (this.#waiting.length >= waitingMax) this.now()
  }

  /** For a process that ends. */
  now(): void {
    const steps = this.#waiting
    this.#waiting = []
    for (const step of steps) {
      try {
        step()
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}
