/**
 * The arrival times of output and the sizes of the terminal, which a log needs besides its bytes to be played again.
 *
 * A quiet terminal has few entries. Close moments of a busy one are joined, over longer gaps the longer it runs, so that
 * the list never exceeds its bound.
 */

import { momentsMax, type Offset, type Size } from '@agentpty/protocol'

export interface Moment {
  /** The first byte that came then. */
  readonly offset: Offset
  /** Wall time. */
  readonly at: number
  /** Set when the terminal had this size from here on. */
  readonly size?: Size
}

/** The time that a picture is on a screen: the eye does not distinguish two within it. */
const gapMsFirst = 16

export class Timeline {
  #moments: Moment[] = []
  #gapMs = gapMsFirst
  /** By how much the wall clock was set back: times never go back here. A clock that was set forward adds a pause. */
  #shiftMs = 0
  /** The size before the first moment. */
  #firstSize: Size

  /** Times of output before this offset are not known: a host of an older version has not kept them. */
  readonly unknownTo: Offset

  constructor(size: Size, unknownTo: Offset = 0) {
    this.#firstSize = size
    this.unknownTo = unknownTo
  }

  output(offset: Offset, wall: number): void {
    const at = this.#steady(wall)
    const last = this.#moments.at(-1)
    if (last === undefined || at - last.at >= this.#gapMs) this.#add({ offset, at })
  }

  resized(offset: Offset, wall: number, size: Size): void {
    this.#add({ offset, at: this.#steady(wall), size })
  }

  #steady(wall: number): number {
    const last = this.#moments.at(-1)?.at ?? Number.NEGATIVE_INFINITY
    this.#shiftMs = Math.max(this.#shiftMs, last - wall)
    return wall + this.#shiftMs
  }

  /** The size at `offset`, and what happened from there on. */
  from(offset: Offset): { readonly size: Size; readonly moments: readonly Moment[] } {
    const after = this.#moments.findIndex((moment) => moment.offset > offset)
    const first = after < 0 ? this.#moments.length : after
    const size = this.#moments.slice(0, first).findLast((moment) => moment.size !== undefined)?.size
    // The moment that contains `offset` began before it.
    return { size: size ?? this.#firstSize, moments: this.#moments.slice(Math.max(0, first - 1)) }
  }

  /** The size when the byte at `offset` came. */
  sizeAt(offset: Offset): Size {
    for (let at = this.#lastAt(offset); at >= 0; at -= 1) {
      const size = this.#moments[at]?.size
      if (size !== undefined) return size
    }
    return this.#firstSize
  }

  /** When the byte at each of these offsets came. They may be in any order. */
  timesOf(offsets: readonly Offset[]): readonly number[] {
    return offsets.map((offset) => this.#moments[this.#lastAt(offset)]?.at ?? this.#moments[0]?.at ?? 0)
  }

  /** The last moment that began at or before `offset`; -1 where all came later. */
  #lastAt(offset: Offset): number {
    let low = 0
    let high = this.#moments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#moments[middle]?.offset ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #add(moment: Moment): void {
    this.#moments.push(moment)
    if (this.#moments.length < momentsMax) return
    this.#gapMs *= 2
    this.#moments = this.#moments.filter((one, at) => one.size !== undefined || at % 2 === 0)
    // All of them were changes of size: drop the oldest half.
    if (this.#moments.length >= momentsMax) this.#dropHalf()
  }

  #dropHalf(): void {
    const kept = Math.floor(momentsMax / 2)
    const dropped = this.#moments.slice(0, -kept)
    this.#firstSize = dropped.findLast(({ size }) => size !== undefined)?.size ?? this.#firstSize
    // The bytes that came then are still there, and came no later.
    const [first] = dropped
    const begin = first === undefined ? [] : [{ offset: first.offset, at: first.at }]
    this.#moments = [...begin, ...this.#moments.slice(-kept)]
  }
}
