/** The secrets of an instance, by shape and by value: those of variables and those that a person typed. Kept in memory only. */

import { csi, csiParameters, esc, stringBegin, stringEnd, wholeSingle } from '@agentpty/protocol/escapes'
import {
  apart,
  maskShapes,
  maskSpans,
  type SecretSpan,
  type SecretValues,
  secretCharactersMax,
  secretCharactersMin,
  secretsMax,
} from '@agentpty/protocol/secrets'
import { blank, findKeys, findWords, mayHoldKey, openKeyFrom, openWordFrom } from './find-keys.ts'

/** Variables that hold a secret, by the end of their names. */
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY)$/i

/** Escape sequences, also one that the end of the text or the next one cuts. */
const unseen = new RegExp(
  String.raw`${stringBegin}[^\x07\x1b\n]*(?:${stringEnd})?|${csi}|${wholeSingle}|\x1b(?:\[${csiParameters}|[ -/]*)$`,
  'g',
)
/** Enough for the end of most texts: a prompt. */
const tailCharacters = 128
/** Titles and marks are invisible, but a secret in them still leaves the terminal. */
const hasStrings = new RegExp(stringBegin)

export class Secrets implements SecretValues {
  /** The newest last. */
  readonly #values = new Set<string>()
  #known = 0
  /** The values to search for: without line ends, as text and as bytes. */
  #searched: readonly string[] = []
  /** The characters after which one of them may go on. */
  #inside: ReadonlySet<string> = new Set()
  readonly #named: (name: string) => boolean

  /** `named`: variables besides those whose names say it. */
  constructor(named: (name: string) => boolean = () => false) {
    this.#named = named
  }

  get known(): number {
    return this.#known
  }

  learn(env: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value = ''] of Object.entries(env))
      if (this.#named(name) || (secretName.test(name) && looksSecret(value))) this.add(value)
  }

  add(value: string): void {
    if (value.length < secretCharactersMin || value.length > secretCharactersMax || this.#values.has(value)) return
    this.#values.add(value)
    this.#known += 1
    const [oldest] = this.#values
    if (this.#values.size > secretsMax && oldest !== undefined) this.#values.delete(oldest)
    this.#searched = [...this.#values].flatMap(formsOf)
    this.#inside = new Set(this.#searched.flatMap((one) => one.slice(0, -1).split('')))
  }

  masked<Result>(result: Result): Result {
    return mapStrings(result, (text) => this.#mask(text)) as Result
  }

  find(text: string): readonly SecretSpan[] {
    if (text.length < secretCharactersMin) return []
    if (!text.includes(esc)) return apart(this.#findIn(text))
    const seen = new ReducedText(text, unseen)
    const found = this.#findIn(seen.text)
    const inText = found.map(({ from, to, what }) => ({ from: seen.at(from), to: seen.at(to - 1) + 1, what }))
    return apart(hasStrings.test(text) ? [...inText, ...this.#findIn(text)] : inText)
  }

  openFrom(text: string): number {
    if (!text.includes(esc)) return this.#openIn(text)
    if (this.#isClosed(text)) return text.length
    const seen = new ReducedText(text, unseen)
    const from = this.#openIn(seen.text)
    const open = from === seen.text.length ? text.length : seen.at(from)
    return hasStrings.test(text) ? Math.min(open, this.#openIn(text)) : open
  }

  /** By the last lines alone, where they are enough to know it: what is asked is long, and most of it ends with nothing open. */
  #isClosed(text: string): boolean {
    if (mayHoldKey(text)) return false
    // No escape sequence goes over the end of a line.
    const seen = text.slice(text.lastIndexOf('\n', text.length - tailCharacters) + 1).replaceAll(unseen, '')
    return this.#isOver(seen) && (this.#isOver(text) || !hasStrings.test(text))
  }

  /** The text ends with a blank, which ends words, and what comes before its line ends stands inside no value. */
  #isOver(text: string): boolean {
    const last = lastInLine(text)
    return last !== '' && text.charCodeAt(text.length - 1) <= blank && !this.#inside.has(last)
  }

  #findIn(text: string): readonly SecretSpan[] {
    return [...findKeys(text), ...findWords(text), ...findValues(text, this.#searched)]
  }

  #openIn(text: string): number {
    return Math.min(openKeyFrom(text), openWordFrom(text), openValueFrom(text, this.#searched))
  }

  #mask(text: string): string {
    if (text.length < secretCharactersMin) return text
    const seen = text.includes(esc) ? maskSpans(text, this.find(text)) : text
    const shaped = maskShapes(seen)
    return maskSpans(shaped, apart(findValues(shaped, this.#searched)))
  }
}

/** In bytes a value stands as UTF-8, which is given as Latin1. */
function formsOf(value: string): readonly string[] {
  const flat = value.replaceAll('\n', '')
  return flat.length < secretCharactersMin ? [] : [...new Set([flat, Buffer.from(flat).toString('latin1')])]
}

/** The last character that ends no line; empty without one. */
function lastInLine(text: string): string {
  let at = text.length - 1
  while (text[at] === '\n' || text[at] === '\r') at--
  return text[at] ?? ''
}

/** A path, a word or a small number is none, whatever its variable is called. */
function looksSecret(value: string): boolean {
  if (/\s|^[./~]|^\w+:\/\//.test(value)) return false
  return /\d/.test(value) ? value.length >= 8 : value.length >= 20
}

/** The same object where nothing in it changes. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) {
    const mapped = value.map((one) => mapStrings(one, map))
    return mapped.some((one, index) => one !== value[index]) ? mapped : value
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const mapped = Object.entries(value).map(([key, one]) => [key, mapStrings(one, map)] as const)
  return mapped.some(([key, one]) => one !== (value as Record<string, unknown>)[key])
    ? Object.fromEntries(mapped)
    : value
}

/** Bytes stay as they are. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const what = 'secret'
const flat = (text: string): ReducedText => new ReducedText(text, /[\r\n]/g)

/**
 * Secrets by their values (without line ends): found in a text, also broken into lines, and where a text may end inside one.
 *
 * Each place where a value stands, also within another; those of one value that overlap are one.
 */
function findValues(text: string, values: readonly string[]): readonly SecretSpan[] {
  if (values.length === 0) return []
  const searched = flat(text)
  return values
    .flatMap((value) => placesOf(searched.text, value))
    .map(([from, to]) => ({ from: searched.at(from), to: searched.at(to - 1) + 1, what }))
}

function placesOf(text: string, value: string): readonly (readonly [from: number, to: number])[] {
  const places: [number, number][] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const last = places.at(-1)
    if (last !== undefined && at < last[1]) last[1] = at + value.length
    else places.push([at, at + value.length])
  }
  return places
}

/** Where the text ends with the beginning of a value; the text's length where it does with none. */
function openValueFrom(text: string, values: readonly string[]): number {
  if (values.length === 0) return text.length
  // Each of its characters may be on a separate line.
  const from = Math.max(0, text.length - 3 * secretCharactersMax)
  const tail = flat(text.slice(from))
  const earliest = values.reduce((known, value) => Math.min(known, beginningOf(value, tail.text)), tail.text.length)
  return earliest === tail.text.length ? text.length : from + tail.at(earliest)
}

function beginningOf(value: string, text: string): number {
  const [first = ''] = value
  const farthest = Math.max(0, text.length - value.length + 1)
  for (let at = text.indexOf(first, farthest); at >= 0; at = text.indexOf(first, at + 1))
    if (value.startsWith(text.slice(at))) return at
  return text.length
}

interface LeftOut {
  /** Index in the whole text after the part that was left out. */
  readonly next: number
  /** How much was left out up to there. */
  readonly length: number
}

/** A text without some of its parts, in which is known where each character stood. */
class ReducedText {
  readonly text: string
  readonly #whole: string
  readonly #pattern: RegExp
  #leftOut: readonly LeftOut[] | null = null

  /** `pattern` is global and matches no empty text. */
  constructor(whole: string, pattern: RegExp) {
    this.#whole = whole
    this.#pattern = pattern
    this.text = whole.replaceAll(pattern, '')
  }

  /** Where the character stood in the whole text. */
  at(index: number): number {
    this.#leftOut ??= this.#measured()
    let low = 0
    let high = this.#leftOut.length
    while (low < high) {
      const middle = (low + high) >> 1
      const { next = 0, length = 0 } = this.#leftOut[middle] ?? {}
      if (next - length <= index) low = middle + 1
      else high = middle
    }
    return index + (this.#leftOut[low - 1]?.length ?? 0)
  }

  #measured(): readonly LeftOut[] {
    let length = 0
    return Array.from(this.#whole.matchAll(this.#pattern), (found) => {
      length += found[0].length
      return { next: found.index + found[0].length, length }
    })
  }
}
