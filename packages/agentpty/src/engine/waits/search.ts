/**
 * Looking for a text or a pattern in output as it comes.
 *
 * A match may begin before `since` (output does not respect our reads) but must end after it. What the caller typed
 * itself comes back as echo; a match that lies inside that echo does not count.
 */

import type { Offset } from '../../contracts/units.ts'
import { matchesOf } from './bounded-pattern.ts'
import { searchableText } from './strip-escapes.ts'

/** How far before `since` a match may begin, and how much is searched again when more output comes. */
const overlapBytes = 4 * 1024

export interface SearchLog {
  readonly start: Offset
  read(range: { readonly since: Offset; readonly until: Offset }): { readonly bytes: Uint8Array }
}

export interface SearchOptions {
  readonly find: { readonly text: string } | { readonly pattern: string }
  readonly since: Offset
  /** What the caller typed, if its echo is to be passed over. */
  readonly typed: string
}

export class Search {
  readonly #options: SearchOptions
  #searchedTo: Offset
  #found = false

  constructor(options: SearchOptions) {
    // The searched text has no carriage returns, so what is looked for must have none.
    const find = 'text' in options.find ? { text: options.find.text.replaceAll('\r', '') } : options.find
    this.#options = { ...options, find }
    this.#searchedTo = options.since
  }

  /** Has it appeared in the output up to `end`? Once true, it stays true. */
  found(log: SearchLog, end: Offset): boolean {
    if (this.#found || end <= this.#searchedTo) return this.#found
    const { since } = this.#options
    const from = Math.max(since, this.#searchedTo - overlapBytes)
    const lead = searchableText(log.read({ since: Math.max(log.start, from - overlapBytes), until: from }).bytes)
    const text = searchableText(log.read({ since: from, until: end }).bytes)
    const echo = from <= since + overlapBytes ? echoEnd(text, this.#options.typed) : 0
    this.#searchedTo = end
    this.#found = spans(this.#options.find, lead + text, lead.length + echo).some((to) => to > lead.length + echo)
    return this.#found
  }
}

/** Ends of the matches; those that begin before `border` count only by where they end. */
function spans(find: SearchOptions['find'], text: string, border: number): readonly number[] {
  if ('pattern' in find) return matchesOf(find.pattern, text).map(({ end }) => end)
  const from = Math.max(0, border - find.text.length + 1)
  const at = text.indexOf(find.text, from)
  return at < 0 ? [] : [at + find.text.length]
}

/** Where the echo of what was typed ends in the output that follows it; 0 when it is not (yet) there. */
function echoEnd(text: string, typed: string): number {
  const line = typed.split('\n', 1)[0] ?? ''
  if (line === '') return 0
  const at = text.indexOf(line)
  return at < 0 || at > overlapBytes ? 0 : at + line.length
}
