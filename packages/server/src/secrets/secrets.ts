/**
 * The secrets of an instance, by their shape and by their value: those of variables, and those that a person typed. Kept in
 * memory only.
 */

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
import { findKeys, mayHoldKey, openKeyFrom } from './find-keys.ts'
import { findValues, openValueFrom } from './find-values.ts'
import { blank, findWords, openWordFrom } from './find-words.ts'
import { ReducedText } from './reduced-text.ts'

/** Variables that hold a secret, by the end of their names. */
const secretName = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY)$/i

/** Escape sequences, also one that the end of the text or the next one cuts. */
const unseen = new RegExp(
  String.raw`${stringBegin}[^\x07\x1b\n]*(?:${stringEnd})?|${csi}|${wholeSingle}|\x1b(?:\[${csiParameters}|[ -/]*)$`,
  'g',
)
/** Enough for the end of most texts: a prompt. */
const tailCharacters = 128
/** What is in a title, or a mark, is not seen, and leaves all the same. */
const hasStrings = new RegExp(stringBegin)

export class Secrets implements SecretValues {
  /** The newest last. */
  readonly #values = new Set<string>()
  #known = 0
  /** As they are searched for: without line ends, as text and as bytes. */
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
    for (const [name, value = ''] of Object.entries(env)) {
      if (this.#named(name)) this.add(value)
      else if (secretName.test(name) && looksSecret(value)) this.add(value)
    }
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
