/** Since when the visible picture has not changed. Costs nothing while nobody waits for a stable one. */

import type { Clock } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'
import type { LazyScreen } from './lazy-screen.ts'

export class PictureWatch {
  readonly #clock: Clock
  readonly #screen: LazyScreen
  /** Called when a look has found the picture changed or not. */
  readonly #looked: () => void
  #picture: string | null = null
  #changedAt: Millis
  #watchers = 0

  constructor(clock: Clock, screen: LazyScreen, looked: () => void) {
    this.#clock = clock
    this.#screen = screen
    this.#looked = looked
    this.#changedAt = clock.now()
  }

  get changedAt(): Millis {
    return this.#changedAt
  }

  /** Looks from now on, until the answer is called. */
  watch(): () => void {
    if (this.#watchers++ === 0) {
      this.#picture = null
      this.#changedAt = this.#clock.now()
      this.#screen.ensure()
      this.look()
    }
    return () => {
      this.#watchers--
    }
  }

  /** The screen may have changed. */
  look(): void {
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
    this.#looked()
  }
}
