/** Programs that wait at the other end of `>(…)`, by the path that stands for it. */

import type { ParsedScript } from 'unbash'

export interface Sink {
  readonly script: ParsedScript
  readonly source: string
}

export class Sinks {
  readonly #open = new Map<string, Sink>()
  #paths = 0

  /** A path for the other end of `<(…)` or `>(…)`. */
  path(): string {
    return `/dev/fd/${63 - this.#paths++}`
  }

  open(path: string, sink: Sink): void {
    this.#open.set(path, sink)
  }

  at(path: string): Sink | undefined {
    return this.#open.get(path)
  }

  closeAll(run: (sink: Sink) => void): void {
    for (const [path, sink] of this.#open) {
      this.#open.delete(path)
      run(sink)
    }
  }
}
