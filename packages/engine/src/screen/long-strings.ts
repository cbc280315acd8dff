/**
 * Lets no string of an escape sequence (a title, a picture, a setting) grow without end: the emulator would gather ten
 * million characters of each. The rest of a longer one is left out; its end stays where it is.
 */

import { sequenceStringBytesMax } from '@agentpty/protocol'
import { stringEnds } from '@agentpty/protocol/escapes'
import type { Dropped } from '@agentpty/protocol/session'

export class LongStrings {
  /** Bytes of the string that is open, as far as they have been let through. */
  #open = 0
  readonly #dropped: Dropped

  constructor(dropped: Dropped) {
    this.#dropped = dropped
  }

  /** Returns the next bytes without those that are too many. `isInside`: a string is open before them. */
  take(bytes: Uint8Array, isInside: boolean): Uint8Array {
    if (!isInside) {
      this.#open = 0
      return bytes
    }
    const end = firstEnd(bytes)
    const room = Math.max(0, sequenceStringBytesMax - this.#open)
    this.#open += Math.min(end, room)
    if (end <= room) return bytes
    this.#dropped.stringBytes += end - room
    return Buffer.concat([bytes.subarray(0, room), bytes.subarray(end)])
  }
}

function firstEnd(bytes: Uint8Array): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const found = stringEnds.map((end) => source.indexOf(end)).filter((at) => at >= 0)
  return Math.min(bytes.length, ...found)
}
