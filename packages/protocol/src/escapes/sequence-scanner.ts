/**
 * Finds escape sequences in output bytes that arrive split anywhere, with their exact offsets.
 *
 * Any chunking gives the same sequences. The grammar is that of ECMA-48 as terminals read it: ESC always begins a new
 * one, CAN and SUB abort, other controls inside a sequence do not count. A sequence that is aborted, or whose payload
 * is longer than `payloadBytesMax`, is not reported. The 8-bit controls are not controls here: in UTF-8 they are parts
 * of characters.
 */

import type { Offset } from '../units.ts'
import { controlByte, firstPrintable } from './printed-text.ts'

/** `string`: SOS, PM and APC, whose payload is not kept. */
export type SequenceKind = 'escape' | 'csi' | 'osc' | 'dcs' | 'string'

export interface Sequence {
  readonly kind: SequenceKind
  /** Offset of its ESC. */
  readonly begin: Offset
  /** Offset after its last byte. */
  readonly end: Offset
  /** The last byte: the function of an escape or a CSI; for a string BEL, or the backslash of ST. */
  readonly final: number
}

type StringKind = 'osc' | 'dcs' | 'string'

/** `nested-escape`: ESC in a string, which is its end if a backslash follows. */
type State = 'ground' | 'escape' | 'intermediates' | 'csi' | StringKind | 'nested-escape'

const backslash = 0x5c
const bracketOpen = 0x5b
const firstParameter = 0x30
const firstFinal = 0x40
const payloadBytesAtFirst = 64

/** By the byte after ESC: `ESC ] P X ^ _`. */
const stringKinds: ReadonlyMap<number, StringKind> = new Map([
  [0x5d, 'osc'],
  [0x50, 'dcs'],
  [0x58, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
])

/** Where the final byte of a CSI stands whose parameters begin at `from`; at most `bytesMax` farther, or where the bytes end. */
export function csiFinalAt(bytes: Uint8Array, from: number, bytesMax: number): number {
  const farthest = Math.min(bytes.length, from + bytesMax)
  let at = from
  while (at < farthest && (bytes[at] ?? 0) < firstFinal) at += 1
  return at
}

export class SequenceScanner {
  readonly #payloadBytesMax: number
  readonly #onSequence: (sequence: Sequence) => void
  #state: State = 'ground'
  /** The string that is open, in states inside one. */
  #string: StringKind = 'string'
  /** Offset of the ESC of the sequence that is open. */
  #begin: Offset = 0
  /** Offset after the last byte scanned; null before the first. */
  #next: Offset | null = null
  #payload = Buffer.alloc(payloadBytesAtFirst)
  #payloadBytes = 0

  /** @param onSequence - Called for each sequence that has ended; {@link payload} is that sequence's until it returns. */
  constructor(payloadBytesMax: number, onSequence: (sequence: Sequence) => void) {
    this.#payloadBytesMax = payloadBytesMax
    this.#onSequence = onSequence
  }

  /** The bytes between the begin of a sequence and its end, without control characters; for an escape its intermediates. */
  get payload(): string {
    return this.#payload.toString('utf8', 0, this.#payloadBytes)
  }

  /** Offset of the ESC of an unfinished sequence; null outside of one. */
  get openFrom(): Offset | null {
    return this.#state === 'ground' ? null : this.#begin
  }

  /** After a gap, bytes that were missed, scanning begins anew. `offset` is that of the first byte. */
  scan(bytes: Uint8Array, offset: Offset): void {
    if (offset !== this.#next) this.#state = 'ground'
    this.#next = offset + bytes.length
    for (let at = 0; at < bytes.length; ) {
      // A search, not a loop: plain output must cost next to nothing.
      if (this.#state === 'ground') at = bytes.indexOf(controlByte.esc, at)
      if (at < 0) return
      at = this.#step(bytes, at, offset)
    }
  }

  /** Reads one byte, or more where the state stays the same; returns the index of the next. */
  #step(bytes: Uint8Array, at: number, offset: Offset): number {
    switch (this.#state) {
      case 'csi':
        return this.#inCsi(bytes, at, offset)
      case 'osc':
      case 'dcs':
      case 'string':
        return this.#inString(bytes, at, offset)
      default:
        this.#state = this.#atByte(bytes[at] ?? 0, offset + at)
        return at + 1
    }
  }

  #atByte(value: number, offset: Offset): State {
    const wasNested = this.#state === 'nested-escape'
    if (value === controlByte.esc) return this.#open(offset)
    if (value === controlByte.can || value === controlByte.sub) return 'ground'
    if (wasNested && value === backslash) return this.#end(this.#string, value, offset)
    if (wasNested) this.#open(offset - 1)
    return this.#state === 'intermediates' ? this.#onIntermediate(value, offset) : this.#afterEscape(value, offset)
  }

  #open(offset: Offset): State {
    this.#begin = offset
    return 'escape'
  }

  #afterEscape(value: number, offset: Offset): State {
    if (value < firstPrintable || value === controlByte.del) return 'escape'
    this.#payloadBytes = 0
    if (value === bracketOpen) return 'csi'
    const kind = stringKinds.get(value)
    if (kind === undefined) return this.#onIntermediate(value, offset)
    this.#string = kind
    return kind
  }

  #onIntermediate(value: number, offset: Offset): State {
    if (value >= firstParameter) return this.#end('escape', value, offset)
    return value < firstPrintable || this.#keep(value) ? 'intermediates' : 'ground'
  }

  #inCsi(bytes: Uint8Array, from: number, offset: Offset): number {
    for (let at = from; at < bytes.length; at += 1) {
      const value = bytes[at] ?? 0
      if (value >= firstFinal && value !== controlByte.del) {
        this.#state = value < controlByte.del ? this.#end('csi', value, offset + at) : 'ground'
        return at + 1
      }
      if (value < firstPrintable) this.#onControl(value, offset + at)
      else if (value !== controlByte.del && !this.#keep(value)) this.#state = 'ground'
      if (this.#state !== 'csi') return at + 1
    }
    return bytes.length
  }

  #inString(bytes: Uint8Array, from: number, offset: Offset): number {
    let at = from
    const farthest = Math.min(bytes.length, from + this.#payloadBytesMax + 1)
    while (at < farthest && (bytes[at] ?? 0) >= firstPrintable) at += 1
    if (this.#string !== 'string' && !this.#keepAll(bytes, from, at)) this.#state = 'ground'
    // Too long already, or no control has come yet.
    if (at === farthest || this.#state === 'ground') return at
    const value = bytes[at] ?? 0
    if (value === controlByte.esc) this.#state = 'nested-escape'
    else if (value === controlByte.bel && this.#string === 'osc') this.#state = this.#end('osc', value, offset + at)
    else this.#onControl(value, offset + at)
    return at + 1
  }

  /** A control character inside a sequence. */
  #onControl(value: number, offset: Offset): void {
    if (value === controlByte.esc) this.#state = this.#open(offset)
    if (value === controlByte.can || value === controlByte.sub) this.#state = 'ground'
  }

  /** False when it is too long. */
  #keep(value: number): boolean {
    if (this.#payloadBytes >= this.#payloadBytesMax) return false
    if (this.#payloadBytes >= this.#payload.length) this.#grow(this.#payloadBytes + 1)
    this.#payload[this.#payloadBytes] = value
    this.#payloadBytes += 1
    return true
  }

  #keepAll(bytes: Uint8Array, from: number, until: number): boolean {
    const length = this.#payloadBytes + until - from
    if (length > this.#payloadBytesMax) return false
    if (length > this.#payload.length) this.#grow(length)
    this.#payload.set(bytes.subarray(from, until), this.#payloadBytes)
    this.#payloadBytes = length
    return true
  }

  #grow(length: number): void {
    const larger = Buffer.alloc(Math.max(length, this.#payload.length * 2))
    this.#payload.copy(larger)
    this.#payload = larger
  }

  #end(kind: SequenceKind, final: number, last: Offset): State {
    this.#onSequence({ kind, begin: this.#begin, end: last + 1, final })
    return 'ground'
  }
}
