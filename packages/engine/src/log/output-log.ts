/**
 * The output log: every byte a PTY sent, addressed by absolute offset.
 *
 * The newest `capacityBytes` are kept. An offset never changes meaning: once its byte is evicted a reader learns how
 * many bytes it missed, so "nothing new" and "you were too slow" look different.
 *
 * Bytes live in fixed blocks that are re-used in a ring: the bytes of block number n are at offsets
 * [n × blockBytes, (n + 1) × blockBytes), so any offset is found by a division, a million one-byte appends make no
 * objects, and memory is the capacity plus one block. Readers get copies, because a block is overwritten later; a reader of
 * much output can pass its own memory to `readInto`.
 */

import { isUtf8 } from 'node:buffer'
import { continuationsMax, invalidBytesIn, type Offset, wholeCharacters } from '@agentpty/protocol'
import { controlByte } from '@agentpty/protocol/escapes'

export interface LogSlice {
  readonly bytes: Uint8Array
  /** Offset of the first byte; equals `next` when there are none. */
  readonly from: Offset
  /** Read from here next time: chaining it visits each kept byte exactly once. */
  readonly next: Offset
  /** Bytes that were asked for and had been evicted. */
  readonly missedBytes: number
}

interface LogRange {
  readonly since: Offset
  /** Exclusive. Without it, everything there is. */
  readonly until?: Offset
  readonly maxBytes?: number
}

/** Small enough that a thousand quiet sessions cost little, large enough that a full log is a few hundred blocks. */
const blockBytesMax = 16 * 1024

const { lineFeed } = controlByte

export class OutputLog {
  readonly #capacityBytes: number
  readonly #blockBytes: number
  readonly #blockCount: number
  readonly #blocks: Uint8Array[] = []
  #start: Offset
  #end: Offset

  constructor(options: { readonly capacityBytes: number; readonly start?: Offset }) {
    this.#capacityBytes = Math.max(1, Math.floor(options.capacityBytes))
    this.#blockBytes = Math.min(blockBytesMax, this.#capacityBytes)
    // One more than the capacity needs: the kept range seldom begins where a block begins.
    this.#blockCount = Math.ceil(this.#capacityBytes / this.#blockBytes) + 1
    this.#start = options.start ?? 0
    this.#end = this.#start
  }

  get capacityBytes(): number {
    return this.#capacityBytes
  }

  /** Offset of the oldest kept byte. */
  get start(): Offset {
    return this.#start
  }

  get end(): Offset {
    return this.#end
  }

  append(bytes: Uint8Array): void {
    const end = this.#end + bytes.length
    const skipped = Math.max(0, bytes.length - this.#capacityBytes)
    let source = skipped
    while (source < bytes.length) {
      const offset = this.#end + source
      const at = offset % this.#blockBytes
      const length = Math.min(this.#blockBytes - at, bytes.length - source)
      this.#blockAt(offset).set(bytes.subarray(source, source + length), at)
      source += length
    }
    this.#end = end
    this.#start = Math.max(this.#start, end - this.#capacityBytes)
  }

  /** The bytes before `offset` are lost: what follows belongs there. Everything kept so far is given up. */
  skipTo(offset: Offset): void {
    if (offset <= this.#end) return
    this.#start = offset
    this.#end = offset
  }

  /** Never throws: a range before the log is reported as missed, one beyond it is empty with `next` at the end. */
  read(range: LogRange): LogSlice {
    const until = Math.min(range.until ?? this.#end, this.#end)
    const since = Math.min(range.since, this.#end)
    if (since >= until) return { bytes: new Uint8Array(0), from: since, next: since, missedBytes: 0 }
    const from = Math.min(Math.max(since, this.#start), until)
    const next = Math.min(until, from + Math.max(0, range.maxBytes ?? Number.POSITIVE_INFINITY))
    return { bytes: this.#copy(from, next), from, next, missedBytes: from - since }
  }

  /** Copies the retained bytes from `from` to `until` into `target`. Returns a view, valid until `target` is reused. */
  readInto(target: Uint8Array, from: Offset, until: Offset): Uint8Array {
    const begin = Math.max(from, this.#start)
    const end = Math.min(until, this.#end)
    return begin < end ? this.#copy(begin, end, target.subarray(0, end - begin)) : target.subarray(0, 0)
  }

  /** The offset at which the line of `offset` begins; the farthest offset searched when that is not within `lookbackBytes`. */
  lineStartBefore(offset: Offset, lookbackBytes: number): Offset {
    const from = Math.min(Math.max(offset, this.#start), this.#end)
    const floor = Math.max(this.#start, from - Math.max(0, lookbackBytes))
    let until = from
    while (until > floor) {
      const blockStart = until - 1 - ((until - 1) % this.#blockBytes)
      const found = this.#blockAt(until - 1).lastIndexOf(lineFeed, until - 1 - blockStart)
      if (found >= 0) return Math.max(floor, blockStart + found + 1)
      until = blockStart
    }
    return floor
  }

  #copy(from: Offset, until: Offset, bytes: Uint8Array = new Uint8Array(until - from)): Uint8Array {
    let offset = from
    while (offset < until) {
      const at = offset % this.#blockBytes
      const length = Math.min(this.#blockBytes - at, until - offset)
      bytes.set(this.#blockAt(offset).subarray(at, at + length), offset - from)
      offset += length
    }
    return bytes
  }

  #blockAt(offset: Offset): Uint8Array {
    const slot = Math.floor(offset / this.#blockBytes) % this.#blockCount
    const block = this.#blocks[slot] ?? new Uint8Array(this.#blockBytes)
    this.#blocks[slot] = block
    return block
  }
}

// Counts bytes of output that are not UTF-8, which text shows as U+FFFD. Each byte is judged with the bytes around it in the log, so that
// a character cut by the beginning or the end of a range is not counted, and the counts of adjacent ranges add up.

interface CountedRange {
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
