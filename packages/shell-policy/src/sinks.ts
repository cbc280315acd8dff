/** Programs that wait at the other end of `>(…)`, by the path that stands for it. */

import type { Stream } from './value.ts'

type Sink = (input: Stream) => void

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

  closeAll(input: () => Stream): void {
    for (const [path, sink] of this.#open) {
      this.#open.delete(path)
      sink(input())
    }
  }
}
