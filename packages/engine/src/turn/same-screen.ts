/** Finds out whether a program draws nothing but the same screen again and again. */

import type { Millis, Offset } from '@agentpty/protocol'
import type { OutputLog } from '../log/output-log.ts'

/** Bytes before the log's end that are looked at: three times a large screen. */
const windowBytes = 64 * 1024
/** The end of the output, which is searched for further up. */
const tailBytes = 128
/** Places further up that end like the output; most are blanks or lines of a frame. */
const periodsMax = 256
/** Bytes that are compared at most: a flood of blanks ends like the output everywhere. */
const comparedBytesMax = 256 * 1024
/** The same screen must have been drawn so many times. */
const timesMin = 3
/** Moves to a row and a column: what follows is drawn over what was there. */
const placesCursor = /\x1b\[(?:\d*;\d*)?[Hf]/

interface Repeat {
  /** Length of one screen in bytes. */
  readonly period: number
  /** Where the first of the screens that were looked at begins. */
  readonly from: Offset
}

/** The output of one program, looked at again whenever more has come. */
export class SameScreen {
  readonly #log: OutputLog
  #end: Offset = -1
  #repeat: (Repeat & { readonly since: Millis }) | null = null

  constructor(log: OutputLog) {
    this.#log = log
  }

  /** Since when it is known that nothing else is drawn; null when the last output was something else. */
  since(now: Millis): Millis | null {
    const { end } = this.#log
    if (this.#end !== end) {
      const repeat = repeatAtEnd(this.#log)
      this.#repeat = repeat && { ...repeat, since: this.#continues(repeat) ?? now }
      this.#end = end
    }
    return this.#repeat?.since ?? null
  }

  /** The same screens as at the last look, and no other output between them. */
  #continues({ period, from }: Repeat): Millis | null {
    const known = this.#repeat
    return known?.period === period && from + period <= this.#end ? known.since : null
  }
}

function repeatAtEnd(log: OutputLog): Repeat | null {
  const { bytes, from } = log.read({ since: Math.max(log.start, log.end - windowBytes), until: log.end })
  const text = Buffer.from(bytes)
  const tail = text.subarray(-tailBytes)
  const last = text.length - tail.length
  let at = last
  let compared = 0
  for (let tries = 0; tries < periodsMax && compared < comparedBytesMax; tries++) {
    at = at > 0 ? text.lastIndexOf(tail, at - 1) : -1
    if (at < 0) return null
    const period = last - at
    if (period * timesMin > text.length) return null
    const start = startOfRepeats(text, period)
    compared += text.length - start - period
    if (text.length - start >= period * timesMin && placesCursor.test(text.toString('latin1', last - period)))
      return { period, from: from + start }
  }
  return null
}

/** Returns the index from which on every byte is that of one period before. */
function startOfRepeats(text: Buffer, period: number): number {
  let index = text.length - 1
  while (index >= period && text[index] === text[index - period]) index--
  return index + 1 - period
}
