/**
 * Looking for a text or a pattern in output as it comes.
 *
 * A match may begin before `since` (output does not respect our reads) but must end after it. What the caller typed
 * itself comes back as echo; a match that lies inside that echo does not count.
 */

import { searchMatchesMax } from '../../contracts/limits.ts'
import type { Offset } from '../../contracts/units.ts'
import { isWholeLines } from '../marks/plain-lines.ts'
import { type Match, matchesOf } from './bounded-pattern.ts'
import { echoSpans } from './echo-spans.ts'
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

  /** Has it appeared in the output up to `end`? Once true, it stays true. `echoes`: the terminal repeats what is typed. */
  found(log: SearchLog, end: Offset, echoes = true): boolean {
    if (this.#found || end <= this.#searchedTo) return this.#found
    const { since } = this.#options
    const { find: sought } = this.#options
    // A text reaches back no farther than its own length, with room for escape sequences in between.
    const reach = 'text' in sought ? Math.min(overlapBytes, 8 * sought.text.length + 256) : overlapBytes
    const from = Math.max(since, this.#searchedTo - reach)
    const begin = Math.max(log.start, from - reach)
    const { bytes } = log.read({ since: begin, until: end })
    this.#searchedTo = end
    if ('text' in sought && isWholeLines(bytes) && !holds(bytes, sought.text)) return false
    const lead = searchableText(bytes.subarray(0, Math.max(0, from - begin)))
    const text = searchableText(bytes.subarray(Math.max(0, from - begin)))
    const found = matches(sought, lead + text, lead.length)
    if (found.length === 0) return false
    const { typed } = this.#options
    // The echo follows what was typed closely; farther on the same words are output.
    const echo =
      from <= since + overlapBytes && echoes ? echoSpans(text.slice(0, overlapBytes + 2 * typed.length), typed) : []
    this.#found = found.some((match) => {
      const start = match.start - lead.length
      return !echo.some((span) => start >= span.start && match.end - lead.length <= span.end)
    })
    return this.#found
  }
}

/** Can plain lines hold this text? Asked of the bytes, because a flood goes by here. */
function holds(bytes: Uint8Array, text: string): boolean {
  return /[\n\ufffd]/.test(text) || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text)
}

/** Matches that end after `border`, wherever they begin. */
function matches(find: SearchOptions['find'], text: string, border: number): readonly Match[] {
  if ('pattern' in find) return matchesOf(find.pattern, text, border)
  const found: Match[] = []
  const { length } = find.text
  for (
    let at = text.indexOf(find.text, Math.max(0, border - length + 1));
    at >= 0;
    at = text.indexOf(find.text, at + 1)
  ) {
    found.push({ start: at, end: at + length })
    if (found.length >= searchMatchesMax) break
  }
  return found
}
