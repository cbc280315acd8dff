/**
 * Finds the lines in bytes of output that may match a pattern, before anything is decoded. It misses no line that matches.
 *
 * Each match contains a known text. Its characters may have escape sequences and control characters between them, as the program has printed
 * them. The rarest byte of the text is searched for. Where the bytes around it fit the text, up to its ends or to such a sequence, an exact
 * expression decides about the line.
 */

import type { LinePattern } from '@agentpty/engine/waits'
import { controlByte, firstPrintable, sequence } from '@agentpty/protocol/escapes'
import { requiredText } from './required-text.ts'

export interface ByteSpan {
  readonly begin: number
  /** Exclusive. */
  readonly end: number
}

/** More characters make the expression larger and hardly any line fewer. */
const textCharactersMax = 24
/** The bytes whose frequencies are counted. */
const sampleBytes = 16 * 1_024
const { lineFeed, esc, del } = controlByte
const bracketOpen = 0x5b
/** Programs send fewer parameters in one sequence. */
const parametersMax = 64

const control = String.raw`[\x00-\x08\x0b-\x1f\x7f]`
/** The part of an expression for what `searchableText` removes, in bytes that are read as Latin1. */
export const removed = `${sequence}|${control}`

export class LineFilter {
  /** The bytes of the text, and the same ones in capitals where case does not count. */
  readonly #small: Uint8Array
  readonly #capital: Uint8Array
  readonly #expression: RegExp
  /** The index of the rarest byte; null before any output was seen. */
  #rarest: number | null = null

  constructor({ pattern, ignoreCase = false }: LinePattern) {
    const text = [...requiredText(pattern, ignoreCase)].slice(0, textCharactersMax)
    const bytes = (chars: readonly string[]) => Buffer.from(chars.join(''))
    this.#small = bytes(ignoreCase ? text.map((char) => char.toLowerCase()) : text)
    this.#capital = ignoreCase ? bytes(text.map((char) => char.toUpperCase())) : this.#small
    const parts = text.map(
      (char, at) => `${at === 0 ? '' : between(at)}${[...Buffer.from(char)].map(byteExpression).join('')}`,
    )
    this.#expression = new RegExp(parts.join(''), ignoreCase ? 'i' : '')
  }

  /** It passes over nothing: no text is known that each match contains. */
  get isOpen(): boolean {
    return this.#small.length === 0
  }

  /** The lines that may match, with their line feeds, from the first to the last. */
  linesIn(bytes: Buffer): readonly ByteSpan[] {
    if (this.isOpen) return [{ begin: 0, end: bytes.length }]
    this.#rarest ??= this.#rarestIn(bytes.subarray(0, sampleBytes))
    const small = this.#small[this.#rarest] ?? 0
    const capital = this.#capital[this.#rarest] ?? 0
    const lines = this.#linesWith(bytes, small, this.#rarest)
    if (small === capital) return lines
    const begins = new Set(lines.map(({ begin }) => begin))
    const others = this.#linesWith(bytes, capital, this.#rarest).filter(({ begin }) => !begins.has(begin))
    return [...lines, ...others].toSorted((one, other) => one.begin - other.begin)
  }

  #linesWith(bytes: Buffer, rarest: number, index: number): readonly ByteSpan[] {
    const lines: ByteSpan[] = []
    for (let at = bytes.indexOf(rarest); at >= 0; ) {
      if (!this.#fits(bytes, at, index)) {
        at = bytes.indexOf(rarest, at + 1)
        continue
      }
      const lineEnd = bytes.indexOf(lineFeed, at)
      const line = { begin: bytes.lastIndexOf(lineFeed, at) + 1, end: lineEnd < 0 ? bytes.length : lineEnd + 1 }
      if (this.#expression.test(bytes.toString('latin1', line.begin, line.end))) lines.push(line)
      at = bytes.indexOf(rarest, line.end)
    }
    return lines
  }

  /** Compares the bytes before and after one with those of the text, up to its ends or to removed characters. */
  #fits(bytes: Uint8Array, at: number, index: number): boolean {
    for (let after = 1; index + after < this.#small.length; after++) {
      const byte = bytes[at + after] ?? lineFeed
      if (isRemoved(byte)) break
      if (byte !== this.#small[index + after] && byte !== this.#capital[index + after]) return false
    }
    for (let before = 1; before <= index; before++) {
      const byte = bytes[at - before] ?? lineFeed
      if (byte === this.#small[index - before] || byte === this.#capital[index - before]) continue
      return isRemoved(byte) || isInSequence(bytes, at - before)
    }
    return true
  }

  #rarestIn(sample: Uint8Array): number {
    const counts = new Uint32Array(256)
    for (const byte of sample) counts[byte] = (counts[byte] ?? 0) + 1
    const rarity = Array.from(this.#small, (byte, at) => (counts[byte] ?? 0) + (counts[this.#capital[at] ?? 0] ?? 0))
    return rarity.indexOf(Math.min(...rarity))
  }
}

/** The same characters as in {@link control}. */
const isRemoved = (byte: number) =>
  (byte < firstPrintable && byte !== controlByte.tab && byte !== lineFeed) || byte === del

/**
 * This byte may belong to an escape sequence: before it are parameters, and `ESC [` or ESC. It need not be the last byte of the sequence, because
 * the bytes after it may be letters of the text by chance.
 */
function isInSequence(bytes: Uint8Array, index: number): boolean {
  let at = index - 1
  while (index - at < parametersMax && isParameter(bytes[at] ?? lineFeed)) at -= 1
  // The expression decides about longer ones, so that a line of many digits is not walked over from each of them.
  if (index - at >= parametersMax) return true
  return bytes[at] === esc || (bytes[at] === bracketOpen && bytes[at - 1] === esc)
}

const isParameter = (byte: number) => byte >= firstPrintable && byte < 0x40

const byteExpression = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`

/** A lookahead with a reference to it never tries another way: all removed characters are one way, as when they are removed. */
const between = (group: number) => `(?:(?=${control})(?=((?:${removed})+))\\${group})?`
