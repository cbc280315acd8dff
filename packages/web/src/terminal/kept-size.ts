/**
 * A program's screen that is kept as large as the room of whoever looks at it: made so, made so again once the room has stood still in
 * another size, and given back as it was. Whoever gives it another size meanwhile has it from then on.
 */

import type { Clock, Size, Stop } from '@agentpty/protocol'

export interface KeptSizeParts {
  readonly clock: Clock
  /** As it was before. */
  readonly before: Size
  /** Gives the program's screen this size. */
  readonly resize: (size: Size) => void
  /** Somebody else has given it another size. */
  readonly taken: () => void
}

/** A window that is drawn larger changes its size many times a second. */
const calmMs = 250
/** Those that were asked for last: each of them may still come. */
const askedMax = 8

export class KeptSize {
  readonly #parts: KeptSizeParts
  #asked: readonly Size[] = []
  #stop: Stop = () => {}
  #isOver = false

  constructor(parts: KeptSizeParts) {
    this.#parts = parts
  }

  /** The room has this size now. */
  wanted(size: Size): void {
    const { clock } = this.#parts
    this.#stop()
    if (this.#isOver || isSame(size, this.#asked.at(-1))) return
    const isFirst = this.#asked.length === 0
    this.#stop = clock.callAt(clock.now() + (isFirst ? 0 : calmMs), () => this.#ask(size))
  }

  /** The screen has this size now, by whomever. */
  seen(size: Size): void {
    const isOurs = this.#asked.some((one) => isSame(one, size))
    // It may be told once more how it was, before what was asked for has been done.
    const isBefore = isSame(size, this.#parts.before)
    if (this.#isOver || isOurs || isBefore) return
    this.#end()
    this.#parts.taken()
  }

  /** Nobody looks any more: it is given back as it was, unless it is somebody else's. */
  end(): void {
    const { before, resize } = this.#parts
    const last = this.#asked.at(-1)
    if (this.#isOver) return
    this.#end()
    if (last !== undefined && !isSame(last, before)) resize(before)
  }

  #ask(size: Size): void {
    this.#asked = [...this.#asked, size].slice(-askedMax)
    this.#parts.resize(size)
  }

  #end(): void {
    this.#isOver = true
    this.#stop()
  }
}

const isSame = (one: Size, other: Size | undefined): boolean => one.cols === other?.cols && one.rows === other.rows
