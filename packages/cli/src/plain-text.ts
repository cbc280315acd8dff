/**
 * Converts the output of a program on a terminal to text for a pipe: without escape sequences, and with plain line
 * ends. Sequences may be split anywhere; the possible beginning of one is retained, within a bound.
 */

import { isUtf8 } from 'node:buffer'
import { invalidBytesIn, wholeCharacters } from '@agentpty/protocol'
import { csi, stringBegin, stringEnd, unfinishedEscape, wholeSingle } from '@agentpty/protocol/escapes'
import type { CommandCall, Terminal } from './command.ts'

/** Whole sequences with their ends, and the other control characters that a line printer would not know. */
const sequences = new RegExp(
  String.raw`${stringBegin}[^\x07\x1b]*${stringEnd}|${csi}|${wholeSingle}|[\x00-\x07\x0e\x0f]`,
  'g',
)

export class PlainText {
  readonly #decoder = new TextDecoder()
  /** The beginning of a character. */
  #unfinished: Uint8Array = new Uint8Array(0)
  #invalidBytes = 0
  /** The beginning of a sequence. */
  #kept = ''
  /** Carriage returns that may belong to a line end. */
  #returns = ''

  /** How many bytes were not UTF-8. The text has U+FFFD in their place. */
  get invalidBytes(): number {
    return this.#invalidBytes
  }

  /** The text that is certain by now. */
  push(bytes: Uint8Array): string {
    this.#countInvalid(bytes)
    const text = this.#kept + this.#decoder.decode(bytes, { stream: true })
    this.#kept = unfinishedEscape(text)
    return this.#withLineEnds(text.slice(0, text.length - this.#kept.length))
  }

  /** The rest, when nothing more comes. */
  end(): string {
    const rest = this.#withLineEnds(this.#kept + this.#decoder.decode()) + this.#returns
    this.#kept = ''
    this.#returns = ''
    this.#invalidBytes += this.#unfinished.length
    this.#unfinished = new Uint8Array(0)
    return rest
  }

  #countInvalid(bytes: Uint8Array): void {
    const joined = this.#unfinished.length === 0 ? bytes : Buffer.concat([this.#unfinished, bytes])
    const whole = wholeCharacters(joined)
    this.#unfinished = joined.slice(whole.length)
    if (!isUtf8(whole))
      this.#invalidBytes += invalidBytesIn(whole, { begin: 0, end: whole.length, isCut: false, isEnded: true })
  }

  #withLineEnds(text: string): string {
    const plain = this.#returns + text.replaceAll(sequences, '')
    this.#returns = /\r*$/.exec(plain)?.[0] ?? ''
    return plain.slice(0, plain.length - this.#returns.length).replaceAll(/\r+\n/g, '\n')
  }
}

/** A line that says what is waited for, written over until it is cleared: for a person alone, not in a pipe and not beside JSON. */
export class ProgressLine {
  readonly #terminal: Terminal | null
  readonly #complain: (text: string) => void
  #shown = ''

  constructor({ options: { terminal, complain }, json }: Pick<CommandCall, 'options' | 'json'>) {
    this.#terminal = json ? null : terminal
    this.#complain = complain
  }

  show(text: string): void {
    if (this.#terminal === null) return
    // A longer one would take two rows, and only one of them can be written over.
    const line = text.slice(0, Math.max(0, this.#terminal.size().cols - 1))
    if (line !== this.#shown) this.#complain(`\r\x1b[K${line}`)
    this.#shown = line
  }

  clear(): void {
    if (this.#shown !== '') this.#complain('\r\x1b[K')
    this.#shown = ''
  }
}
