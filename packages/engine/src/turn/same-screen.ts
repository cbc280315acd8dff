/** Finds out whether a program has drawn nothing but the same screen again and again. */

import type { Offset } from '@agentpty/protocol'
import type { OutputLog } from '../log/output-log.ts'

/** Bytes before the log's end that are looked at: three times a large screen. */
const windowBytes = 64 * 1024
/** The end of the output, which is searched for further up. */
const tailBytes = 24
/** Places further up that end like the output; most are blanks or lines of a frame. */
const periodsMax = 64
/** The same screen must have been drawn so many times. */
const timesMin = 3
/** Moves to a row and a column: what follows is drawn over what was there. */
const placesCursor = /\x1b\[(?:\d*;\d*)?[Hf]/

/** Returns where the first of these screens was complete. Null when the last output was something else. */
export function sameScreenFrom(log: OutputLog): Offset | null {
  const { bytes, from } = log.read({ since: Math.max(log.start, log.end - windowBytes), until: log.end })
  const text = Buffer.from(bytes)
  const tail = text.subarray(-tailBytes)
  const last = text.length - tail.length
  let at = last
  for (let tries = 0; tries < periodsMax; tries++) {
    at = at > 0 ? text.lastIndexOf(tail, at - 1) : -1
    if (at < 0) return null
    const period = last - at
    if (period * timesMin > text.length) return null
    const start = startOfRepeats(text, period)
    if (text.length - start >= period * timesMin && placesCursor.test(text.toString('latin1', last - period)))
      return from + start + period
  }
  return null
}

/** Returns the index from which on every byte is that of one period before. */
function startOfRepeats(text: Buffer, period: number): number {
  let index = text.length - 1
  while (index >= period && text[index] === text[index - period]) index--
  return index + 1 - period
}
