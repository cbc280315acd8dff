/**
 * Keeps a program's screen fitted to the view of a person. It follows the view once its size is stable, and restores the previous size at the
 * end. A resize by another viewer ends it.
 */

import type { Clock, Size, Stop } from '@agentpty/protocol'

export interface FittedSizeParts {
  readonly clock: Clock
  /** The previous size. */
  readonly before: Size
  /** Gives the program's screen this size. */
  readonly resize: (size: Size) => void
  /** Called after another viewer has set a size. */
  readonly taken: () => void
}

/** The debounce time: a window being dragged changes its size many times a second. */
const debounceMs = 250
/** The number of recent requests whose reports may still arrive. */
const requestedMax = 8

export class FittedSize {
  readonly #parts: FittedSizeParts
  #requested: readonly Size[] = []
  #stop: Stop = () => {}
  #isOver = false

  constructor(parts: FittedSizeParts) {
    this.#parts = parts
  }

  /** Reports the current size of the view. */
  wanted(size: Size): void {
    const { clock } = this.#parts
    this.#stop()
    if (this.#isOver || isSame(size, this.#requested.at(-1))) return
    const isFirst = this.#requested.length === 0
    this.#stop = clock.callAt(clock.now() + (isFirst ? 0 : debounceMs), () => this.#request(size))
  }

  /** Reports the current size of the screen, set by any viewer. */
  seen(size: Size): void {
    const isOurs = this.#requested.some((one) => isSame(one, size))
    // The previous size may be reported once more before a request takes effect.
    const isBefore = isSame(size, this.#parts.before)
    if (this.#isOver || isOurs || isBefore) return
    this.#end()
    this.#parts.taken()
  }

  /** Restores the previous size, unless another viewer has set one. */
  end(): void {
    const { before, resize } = this.#parts
    const last = this.#requested.at(-1)
    if (this.#isOver) return
    this.#end()
    if (last !== undefined && !isSame(last, before)) resize(before)
  }

  #request(size: Size): void {
    this.#requested = [...this.#requested, size].slice(-requestedMax)
    this.#parts.resize(size)
  }

  #end(): void {
    this.#isOver = true
    this.#stop()
  }
}

const isSame = (one: Size, other: Size | undefined): boolean => one.cols === other?.cols && one.rows === other.rows
