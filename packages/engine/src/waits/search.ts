/**
 * Searching for a text or a pattern in output as it comes.
 *
 * A match may begin before `since` (output does not respect our reads) but must end after it. What the caller typed
 * itself comes back as echo; a match inside that echo does not count.
 *
 * A pattern is searched for piece by piece, and a slow one in a thread. While `isBusy`, the matches do not yet cover all of the
 * output, and `again` is called when more has been searched.
 */

import { type Offset, patternTextBytesMax, searchMatchesMax } from '@agentpty/protocol'
import { isWholeLines } from '../marks/plain-lines.ts'
import { type Match, matchBriefly, matchLong, type PatternSearch, searchableText } from './bounded-pattern.ts'

/** The bytes before `since` in which a match may begin, and that are searched again when more output comes. */
const overlapBytes = 4 * 1024

export interface SearchLog {
  readonly start: Offset
  read(range: { readonly since: Offset; readonly until: Offset }): { readonly bytes: Uint8Array }
}

export interface SearchOptions {
  readonly find: { readonly text: string } | { readonly pattern: string }
  readonly since: Offset
  /** The text that the caller typed, if its echo is to be passed over. */
  readonly typed: string
  /** Called when a new check may give another result. */
  readonly again: () => void
}

/** Text to search, new from `lead.length` on, and where the new part repeats typed text. */
interface Piece {
  readonly text: string
  readonly border: number
  readonly echo: readonly Span[]
}

export class Search {
  readonly #options: SearchOptions
  #searchedTo: Offset
  #found = false
  #isBusy = false
  #failure: { readonly error: unknown } | null = null

  constructor(options: SearchOptions) {
    // The searched text has no carriage returns, so what is searched for must have none.
    const find = 'text' in options.find ? { text: options.find.text.replaceAll('\r', '') } : options.find
    this.#options = { ...options, find }
    this.#searchedTo = options.since
  }

  /** The last search has not been finished. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Whether the output up to `end` has it; once true, always true. `echoes`: input is echoed. Errors: `invalid_input` for a slow pattern. */
  found(log: SearchLog, end: Offset, echoes = true): boolean {
    if (this.#failure !== null) throw this.#failure.error
    if (this.#found || this.#isBusy || end <= this.#searchedTo) return this.#found
    const { find } = this.#options
    if ('text' in find) this.#found = this.#findText(find.text, log, end, echoes)
    else this.#findPattern(find.pattern, log, end, echoes)
    return this.#found
  }

  #findText(sought: string, log: SearchLog, end: Offset, echoes: boolean): boolean {
    // A text reaches back no farther than its own length, with room for escape sequences in between.
    const reach = Math.min(overlapBytes, 8 * sought.length + 256)
    const range = this.#take(log, end, reach)
    if (!mayHold(range.bytes, sought)) return false
    const piece = this.#pieceOf(range, echoes)
    return this.#counts(textMatches(sought, piece), piece)
  }

  #findPattern(pattern: string, log: SearchLog, end: Offset, echoes: boolean): void {
    const until = Math.min(end, Math.max(this.#searchedTo, log.start) + patternTextBytesMax)
    const piece = this.#pieceOf(this.#take(log, until, overlapBytes), echoes)
    const search = { pattern, text: piece.text, after: piece.border, linewise: false }
    const matches = matchBriefly(search)
    this.#found = matches !== null && this.#counts(matches, piece)
    if (matches === null) void this.#findInThread(search, piece)
    else if (!this.#found && until < end) this.#goOn()
  }

  async #findInThread(search: PatternSearch, piece: Piece): Promise<void> {
    this.#isBusy = true
    try {
      const { found } = await matchLong(search)
      this.#found = this.#counts(found, piece)
    } catch (error) {
      this.#failure = { error }
    }
    this.#isBusy = false
    this.#options.again()
  }

  /** There is more to search; other sessions get their turn first. */
  #goOn(): void {
    this.#isBusy = true
    setImmediate(() => {
      this.#isBusy = false
      this.#options.again()
    })
  }

  /** The next bytes, with `reach` more before those that have not been searched. */
  #take(log: SearchLog, until: Offset, reach: number): Taken {
    const { since } = this.#options
    // The echo may come in parts, and shows only as a whole.
    const from = until <= since + overlapBytes ? since : Math.max(since, this.#searchedTo - reach)
    const begin = Math.max(log.start, from - reach)
    this.#searchedTo = until
    return { from, lead: Math.max(0, from - begin), bytes: log.read({ since: begin, until }).bytes }
  }

  #pieceOf({ from, lead, bytes }: Taken, echoes: boolean): Piece {
    const { typed, since } = this.#options
    const before = searchableText(bytes.subarray(0, lead))
    const text = searchableText(bytes.subarray(lead))
    // The echo follows closely on the input; farther on the same words are output.
    const isNear = from <= since + overlapBytes && echoes
    const echo = isNear ? echoSpans(text.slice(0, overlapBytes + 2 * typed.length), typed) : []
    return { text: before + text, border: before.length, echo }
  }

  #counts(matches: readonly Match[], { border, echo }: Piece): boolean {
    return matches.some(
      ({ start, end }) => !echo.some((span) => start - border >= span.start && end - border <= span.end),
    )
  }
}

interface Taken {
  readonly from: Offset
  /** The number of bytes before `from`. */
  readonly lead: number
  readonly bytes: Uint8Array
}

/** Can these bytes hold this text? A flood passes through here, and most of it lacks even some of the letters. */
function mayHold(bytes: Uint8Array, text: string): boolean {
  if (text.includes('\ufffd')) return true
  const output = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // Converting output to text removes bytes and adds none.
  if (!Buffer.from(text).every((byte) => output.includes(byte))) return false
  return text.includes('\n') || output.includes(text) || !isWholeLines(output)
}

/** Matches that end after the border, wherever they begin. */
function textMatches(sought: string, { text, border }: Piece): readonly Match[] {
  const found: Match[] = []
  const { length } = sought
  for (let at = text.indexOf(sought, Math.max(0, border - length + 1)); at >= 0; at = text.indexOf(sought, at + 1)) {
    found.push({ start: at, end: at + length })
    if (found.length >= searchMatchesMax) break
  }
  return found
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Spans of `text` that only repeat the lines of `typed`, in their order, each with the end of its line. */
function echoSpans(text: string, typed: string): readonly Span[] {
  const lines = typed
    .split('\n')
    .map(withoutBlanks)
    .filter((line) => line !== '')
  if (lines.length === 0) return []
  const positions: number[] = []
  for (let at = 0; at < text.length; at++) if (!isBlank(text.charCodeAt(at))) positions.push(at)
  const compact = withoutBlanks(text)
  const spans: Span[] = []
  let from = 0
  for (const line of lines) {
    const at = compact.indexOf(line, from)
    const [begin, length] = at >= 0 ? [at, line.length] : [compact.length, 0]
    const partial = at >= 0 ? 0 : overlap(compact.slice(from), line)
    const first = positions[begin - partial]
    const last = positions[begin + length - 1]
    // Its echo came before this text.
    if (first === undefined || last === undefined) continue
    spans.push({ start: first, end: last + (text[last + 1] === '\n' ? 2 : 1) })
    from = begin + length
  }
  return spans
}

/** Length of the longest end of `text` that is a beginning of `line`. */
function overlap(text: string, line: string): number {
  for (let length = Math.min(text.length, line.length); length > 0; length--) {
    if (text.endsWith(line.slice(0, length))) return length
  }
  return 0
}

/**
 * Finds the echo of typed text in the output.
 *
 * Line editors wrap long lines and redraw, so blanks and line ends do not count in the comparison. An echo that has only
 * partly arrived is an echo all the same.
 */
function withoutBlanks(line: string): string {
  return line.replaceAll(/\s/g, '')
}

/** The same blanks that {@link withoutBlanks} leaves out, the common ones first. */
function isBlank(code: number): boolean {
  if (code > space && code < firstOtherBlank) return false
  return /\s/.test(String.fromCharCode(code))
}

const space = 0x20
const firstOtherBlank = 0xa0
