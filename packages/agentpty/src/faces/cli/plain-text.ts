/**
 * What a program prints on a terminal, as text for a pipe: without escape sequences, and with plain line ends.
 * Sequences may be split anywhere; the possible beginning of one is kept back, within a bound.
 */

import { unfinishedEscape } from '../../contracts/escapes/escapes-in-text.ts'
import { csi, stringBegin, stringEnd, wholeSingle } from '../../contracts/escapes/patterns.ts'

/** Whole sequences with their ends, and the other control characters that a line printer would not know. */
const sequences = new RegExp(
  String.raw`${stringBegin}[^\x07\x1b]*${stringEnd}|${csi}|${wholeSingle}|[\x00-\x07\x0e\x0f]`,
  'g',
)

export class PlainText {
  readonly #decoder = new TextDecoder()
  /** The beginning of a sequence. */
  #kept = ''
  /** Carriage returns that may belong to a line end. */
  #returns = ''

  /** The text that is certain by now. */
  push(bytes: Uint8Array): string {
    const text = this.#kept + this.#decoder.decode(bytes, { stream: true })
    this.#kept = unfinishedEscape(text)
    return this.#withLineEnds(text.slice(0, text.length - this.#kept.length))
  }

  /** The rest, when nothing more comes. */
  end(): string {
    const rest = this.#withLineEnds(this.#kept + this.#decoder.decode()) + this.#returns
    this.#kept = ''
    this.#returns = ''
    return rest
  }

  #withLineEnds(text: string): string {
    const plain = this.#returns + text.replaceAll(sequences, '')
    this.#returns = /\r*$/.exec(plain)?.[0] ?? ''
    return plain.slice(0, plain.length - this.#returns.length).replaceAll(/\r+\n/g, '\n')
  }
}
