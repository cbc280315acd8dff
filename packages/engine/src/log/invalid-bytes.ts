/**
 * Counts bytes of output that are not UTF-8, which text shows as U+FFFD. Each byte is judged with the bytes around it in the log, so that
 * a character cut by the beginning or the end of a range is not counted, and the counts of adjacent ranges add up.
 */

import { isUtf8 } from 'node:buffer'
import { continuationsMax, invalidBytesIn, type Offset, wholeCharacters } from '@agentpty/protocol'
import type { OutputLog } from './output-log.ts'

export interface CountedRange {
  readonly since: Offset
  readonly until: Offset
  /** No more output follows the log: an unfinished character at its end is counted. */
  readonly isEnded: boolean
}

/** Large enough that most answers are one piece, small enough that a piece of random bytes takes a few milliseconds. */
const pieceBytes = 256 * 1024

/** Counts in pieces, so that other sessions run in between. Bytes that are no longer kept are not counted. */
export async function countInvalidBytes(log: OutputLog, { since, until, isEnded }: CountedRange): Promise<number> {
  let count = 0
  for (let next = Math.max(since, log.start); next < until; ) {
    const end = Math.min(until, next + pieceBytes)
    count += countInPiece(log, { since: next, until: end, isEnded })
    next = end
    if (next < until) await new Promise((resolve) => setImmediate(resolve))
  }
  return count
}

/** The bytes of a range, with U+FFFD for a character at its end that the log does not complete. */
export function withBrokenEnd(log: OutputLog, bytes: Uint8Array, { until, isEnded }: CountedRange): Uint8Array {
  const whole = wholeCharacters(bytes)
  const since = until - (bytes.length - whole.length)
  if (since === until || countInPiece(log, { since, until, isEnded }) === 0) return bytes
  return Buffer.concat([whole, replacement])
}

const replacement = Buffer.from('\ufffd')

function countInPiece(log: OutputLog, { since, until, isEnded }: CountedRange): number {
  const { bytes, from } = log.read({ since: since - continuationsMax, until: until + continuationsMax })
  if (isUtf8(bytes)) return 0
  return invalidBytesIn(bytes, {
    begin: Math.max(0, since - from),
    end: until - from,
    isCut: from > 0,
    isEnded: isEnded && from + bytes.length === log.end,
  })
}
