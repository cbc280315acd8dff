/** Tracks since when the visible picture has not changed. Costs nothing while no caller waits for a stable picture. */

import type { Clock, Millis, Stop } from '@agentpty/protocol'
import type { LazyScreen } from './lazy-screen.ts'

export class PictureWatch {
  readonly #clock: Clock
  readonly #screen: LazyScreen
  /** Called when the picture has changed. */
  readonly #onChanged: () => void
  #picture: string | null = null
  #changedAt: Millis
  #watchers = 0

  constructor(clock: Clock, screen: LazyScreen, onChanged: () => void) {
    this.#clock = clock
    this.#screen = screen
    this.#onChanged = onChanged
    this.#changedAt = clock.now()
  }

  get changedAt(): Millis {
    return this.#changedAt
  }

  /** Compares pictures from now on, until this is stopped. */
  watch(): Stop {
    if (this.#watchers++ === 0) {
      this.#picture = null
      this.#changedAt = this.#clock.now()
      this.#screen.ensure()
      this.recheck()
    }
    return () => {
      this.#watchers--
    }
  }

  /** The screen may have changed. */
  recheck(): void {
    if (this.#watchers === 0) return
    const { parsedTo } = this.#screen
    if (parsedTo === null) this.#changedAt = this.#clock.now()
    else void this.#screen.at(parsedTo).then((screen) => this.#compare(screen.snapshot()))
  }

  #compare({
    text,
    cursor,
  }: {
    readonly text: readonly string[]
    readonly cursor: { readonly row: number; readonly col: number }
  }): void {
    const picture = `${cursor.row},${cursor.col}\n${text.join('\n')}`
    if (picture === this.#picture) return
    this.#picture = picture
    this.#changedAt = this.#clock.now()
    this.#onChanged()
  }
}
