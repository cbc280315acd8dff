/**
 * Masks secrets in bytes that arrive in pieces. Bytes that may still become a secret are held back, within a bound; all
 * others pass immediately and unchanged.
 *
 * The result does not depend on the pieces, unless `flush` cuts a secret in two: then its rest is masked when it turns
 * out to be one.
 */

import type { Offset } from '@agentpty/protocol'
import {
  escapesIn,
  maskOf,
  type SecretSpan,
  type SecretValues,
  secretHeldBytesMax,
  secretLeadBytes,
} from '@agentpty/protocol/secrets'

export interface MaskedBytes {
  /** The offset of the first byte that they replace. */
  readonly offset: Offset
  /** Masks are shorter or longer than what they stand for. */
  readonly bytes: Uint8Array
  /** After the last byte that they stand for. */
  readonly next: Offset
}

export class StreamMask {
  readonly #secrets: SecretValues
  /** Latin1, one character a byte: the last of what has gone on, then what is held. */
  #text: string
  /** The offset of the first character of the text. */
  #begin: Offset
  /** Index of the first character that is held. */
  #held: number
  /** Where the last mask ended, if the text went on no further. */
  #maskedTo: Offset | null = null

  /** `before`: the bytes before the first one, as far as they are known. */
  constructor(secrets: SecretValues, offset: Offset, before: Uint8Array = new Uint8Array(0)) {
    this.#secrets = secrets
    this.#text = latin1(before)
    this.#begin = offset - before.length
    this.#held = before.length
  }

  /** The offset of the first byte that is held; null when none is. */
  get heldFrom(): Offset | null {
    return this.#held < this.#text.length ? this.#begin + this.#held : null
  }

  /** The offset of the next byte. */
  get next(): Offset {
    return this.#begin + this.#text.length
  }

  /** Returns the bytes that can pass now, with those that follow the last ones; null when all are held. */
  push(bytes: Uint8Array): MaskedBytes | null {
    this.#text += latin1(bytes)
    const open = this.#secrets.openFrom(this.#text)
    return this.#text.length - open > secretHeldBytesMax ? this.flush() : this.#passOn(open, open)
  }

  /** All that is held; null when nothing is. */
  flush(): MaskedBytes | null {
    return this.#passOn(this.#text.length, this.#secrets.openFrom(this.#text))
  }

  /** Everything before `until`. What is behind `open` stays known: it may become a secret yet. */
  #passOn(until: number, open: number): MaskedBytes | null {
    const spans = this.#secrets.find(this.#text)
    const to = spans.find((span) => span.from < until && span.to > until)?.to ?? until
    if (to <= this.#held) return null
    const passed = {
      offset: this.#begin + this.#held,
      bytes: Buffer.from(this.#maskedUntil(to, spans), 'latin1'),
      next: this.#begin + to,
    }
    this.#held = to
    this.#forgetBefore(Math.min(open, to - secretLeadBytes), spans)
    return passed
  }

  #maskedUntil(end: number, spans: readonly SecretSpan[]): string {
    const begin = this.#held
    const isMaskedBefore = this.#maskedTo === this.#begin + begin
    let masked = ''
    let at = begin
    this.#maskedTo = null
    for (const { from, to, what } of spans) {
      if (to <= begin || from >= end) continue
      // The rest of a secret whose mask has gone on already has none of its own.
      const mask = from < begin && isMaskedBefore ? '' : maskOf(what)
      masked += this.#text.slice(at, Math.max(at, from)) + mask + escapesIn(this.#text.slice(Math.max(at, from), to))
      at = to
      if (to === end) this.#maskedTo = this.#begin + end
    }
    return masked + this.#text.slice(at, end)
  }

  #forgetBefore(index: number, spans: readonly SecretSpan[]): void {
    const inside = spans.find(({ from, to }) => from < index && to > index)
    const farthest = this.#text.length - secretHeldBytesMax - secretLeadBytes
    const kept = Math.max(0, farthest, inside?.from ?? index)
    this.#text = this.#text.slice(kept)
    this.#begin += kept
    this.#held -= kept
  }
}

/** One character a byte, so that indexes count bytes. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
