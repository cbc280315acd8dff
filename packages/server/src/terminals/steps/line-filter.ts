/**
 * Finds the lines in bytes of output that may match a pattern, before anything is decoded. It misses no line that matches.
 *
 * Each match contains a known text. Its characters may have escape sequences and control characters between them, as the program has printed
 * them. So the bytes are searched for these characters with any such sequence in between. Most pieces of output lack one of the
 * characters and are passed over even faster.
 */

import type { LinePattern } from '@agentpty/engine/waits'
import { sequence } from '@agentpty/protocol/escapes'
import { requiredText } from './required-text.ts'

export interface ByteSpan {
  readonly begin: number
  /** Exclusive. */
  readonly end: number
}

/** More characters make the expression larger and hardly any line fewer. */
const textCharactersMax = 24
/** A shorter text would be in too many lines. */
const tailCharactersMin = 3
/** The bytes whose frequencies are counted. */
const sampleBytes = 16 * 1_024
const lineFeed = 0x0a

const control = String.raw`[\x00-\x08\x0b-\x1f\x7f]`
/** The part of an expression for what `searchableText` removes, in bytes that are read as Latin1. */
export const removed = `${sequence}|${control}`

export class LineFilter {
  readonly #text: readonly string[]
  readonly #ignoreCase: boolean
  #bytes: readonly (readonly number[])[] = []
  #expression: RegExp | null = null

  constructor({ pattern, ignoreCase = false }: LinePattern) {
    this.#text = [...requiredText(pattern, ignoreCase)].slice(0, textCharactersMax)
    this.#ignoreCase = ignoreCase
  }

  /** It passes over nothing: no text is known that each match contains. */
  get isOpen(): boolean {
    return this.#text.length === 0
  }

  /** The lines that may match, with their line feeds, from the first to the last. */
  linesIn(bytes: Buffer): readonly ByteSpan[] {
    if (this.isOpen) return [{ begin: 0, end: bytes.length }]
    this.#expression ??= this.#prepare(bytes)
    if (this.#bytes.some((forms) => forms.every((form) => !bytes.includes(form)))) return []
    const text = bytes.toString('latin1')
    const lines: ByteSpan[] = []
    this.#expression.lastIndex = 0
    for (let found = this.#expression.exec(text); found !== null; found = this.#expression.exec(text)) {
      const end = bytes.indexOf(lineFeed, found.index)
      const line = { begin: bytes.lastIndexOf(lineFeed, found.index) + 1, end: end < 0 ? bytes.length : end + 1 }
      lines.push(line)
      this.#expression.lastIndex = line.end
    }
    return lines
  }

  /** Begins with the character of the text that is the rarest in these bytes: the search stops at fewer places. */
  #prepare(bytes: Uint8Array): RegExp {
    const counts = new Uint32Array(256)
    for (const byte of bytes.subarray(0, sampleBytes)) counts[byte] = (counts[byte] ?? 0) + 1
    const rarityOf = (char: string) =>
      this.#formsOf(char).reduce((sum, form) => sum + (counts[Buffer.from(form)[0] ?? 0] ?? 0), 0)
    const starts = this.#text.slice(0, Math.max(1, this.#text.length - tailCharactersMin + 1)).map(rarityOf)
    const start = starts.indexOf(Math.min(...starts))
    const bytesOf = (char: string) => this.#formsOf(char).map((form) => Buffer.from(form))
    this.#bytes = [...new Set(this.#text)].map((char) => bytesOf(char).map((form) => form[0] ?? 0))
    const parts = this.#text.slice(start).map((char, at) => `${at === 0 ? '' : between(at)}${this.#expressionOf(char)}`)
    return new RegExp(parts.join(''), 'g')
  }

  #formsOf(char: string): readonly string[] {
    return this.#ignoreCase ? [...new Set([char.toLowerCase(), char.toUpperCase()])] : [char]
  }

  #expressionOf(char: string): string {
    const forms = this.#formsOf(char).map((form) => [...Buffer.from(form)].map(byteExpression).join(''))
    return forms.length === 1 ? (forms[0] ?? '') : `[${forms.join('')}]`
  }
}

const byteExpression = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`

/** A lookahead with a reference to it never tries another way: all removed characters are one way, as when they are removed. */
const between = (group: number) => `(?:(?=${control})(?=((?:${removed})+))\\${group})?`
