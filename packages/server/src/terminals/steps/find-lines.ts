/** Searching a session's kept output line by line, as grep would, within a budget. */

import type { Session } from '@agentpty/engine/session'
import { type LinePattern, matchingLines, searchableText } from '@agentpty/engine/waits'
import {
  invalidInput,
  type Offset,
  patternSearchMsMax,
  patternTextBytesMax,
  renderBytesMax,
  type TermError,
} from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { maskLines } from './mask-lines.ts'
import { renderSlice } from './read-text.ts'

export interface FindOptions {
  readonly since: Offset
  readonly until: Offset
  readonly sought: LinePattern
  readonly contextLines: number
  readonly maxBytes: number
  /** Masked before anything is searched. */
  readonly secrets: SecretValues | null
}

const lineFeed = 0x0a

/** Each line is given as `offset: text`; a gap between groups as `--`. Errors: `invalid_input`. */
export async function findLines(session: Session, options: FindOptions) {
  const { since, until, sought, contextLines, maxBytes, secrets } = options
  const from = Math.max(since, session.log.start)
  const groups = new FoundGroups({ contextLines, maxBytes })
  const masked: Masked = (lines, slice) => maskLines(lines, { session, ...slice }, secrets)
  const pieces = piecesOf(session, { since: from, until }, masked)
  let spentMs = 0
  let missedBytes = from - since
  for await (const piece of pieces) {
    const { hits, ms } = await matchingLines(
      sought,
      piece.lines.map(({ text }) => text),
    )
    spentMs += ms
    if (spentMs > patternSearchMsMax) throw tooSlow(sought.pattern)
    groups.add(piece.lines, hits)
    missedBytes += piece.missedBytes
  }
  return { output: groups.text(), matches: groups.matches, missedBytes }
}

interface Slice {
  readonly since: Offset
  readonly until: Offset
}

type Masked = (lines: readonly Line[], slice: Slice) => readonly Line[]

/** Renders short slices as seen; long ones only lose escape sequences, piece by piece, so that other sessions get their turn. */
async function* piecesOf(session: Session, slice: Slice, masked: Masked) {
  const { since, until } = slice
  if (until - since <= renderBytesMax) {
    yield { lines: masked(await renderSlice(session, since, until), slice), missedBytes: 0 }
    return
  }
  for (let next = since; next < until; ) {
    const read = session.log.read({ since: next, until, maxBytes: patternTextBytesMax })
    const lastLine = read.bytes.lastIndexOf(lineFeed)
    const isCut = read.next < until && lastLine >= 0
    const bytes = isCut ? read.bytes.subarray(0, lastLine + 1) : read.bytes
    next = read.from + bytes.length
    yield {
      lines: masked(linesOf(bytes, read.from), { since: read.from, until: next }),
      missedBytes: read.missedBytes,
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export function linesOf(bytes: Uint8Array, from: Offset): readonly Line[] {
  // One pass over the text: it keeps every line feed, so its lines are those of the bytes.
  const texts = searchableText(bytes).split('\n')
  // After the last line end there is a line only if it has text.
  if (bytes.at(-1) === lineFeed) texts.pop()
  let begin = 0
  return texts.map((text) => {
    const line = { text, offset: from + begin }
    const end = bytes.indexOf(lineFeed, begin)
    begin = end < 0 ? bytes.length : end + 1
    return line
  })
}

export function tooSlow(pattern: string): TermError {
  return invalidInput(
    `The pattern ${JSON.stringify(pattern)} takes longer than ${patternSearchMsMax} ms for all of the output.`,
    'Look at less of it with "since", or for a simpler pattern.',
  )
}

export interface Line {
  readonly text: string
  readonly offset: Offset
}

const shownCharactersMax = 500

/** Lines that were found, with the lines around them, as far as there is room; fed piece by piece from the first line on. */
class FoundGroups {
  readonly #contextLines: number
  #room: number
  readonly #output: string[] = []
  /** The last lines that were not shown, in case the next line is found. */
  #before: string[] = []
  /** How many lines after the last one found are still to be shown. */
  #after = 0
  /** Lines have been left out since the last one shown. */
  #isGap = false
  #matches = 0

  constructor(options: { readonly contextLines: number; readonly maxBytes: number }) {
    this.#contextLines = options.contextLines
    this.#room = options.maxBytes
  }

  /** Counts lines even when there was no room to show them. */
  get matches(): number {
    return this.#matches
  }

  add(lines: readonly Line[], hits: readonly number[]): void {
    this.#matches += hits.length
    if (this.#room <= 0) return
    const found = new Set(hits)
    for (const [at, line] of lines.entries()) {
      if (found.has(at)) this.#show([...this.#takeBefore(), shownLine(line)], this.#contextLines)
      else if (this.#after > 0) this.#show([shownLine(line)], this.#after - 1)
      else this.#keep(line)
      if (this.#room <= 0) return
    }
  }

  text(): string {
    return this.#output.join('\n')
  }

  #takeBefore(): readonly string[] {
    const before = this.#before
    this.#before = []
    return this.#isGap && this.#contextLines > 0 ? ['--', ...before] : before
  }

  #show(lines: readonly string[], after: number): void {
    const bytes = Buffer.byteLength(lines.join('\n')) + 1
    // The first line that does not fit is the last: a shorter one after it would look like the next one.
    this.#room = bytes > this.#room ? 0 : this.#room - bytes
    if (this.#room <= 0) return
    this.#output.push(...lines)
    this.#after = after
    this.#isGap = false
  }

  #keep(line: Line): void {
    if (this.#contextLines > 0) this.#before.push(shownLine(line))
    if (this.#before.length <= this.#contextLines) return
    this.#before.shift()
    this.#isGap = this.#output.length > 0
  }
}

export function shownLine({ text, offset }: Line): string {
  return `${offset}: ${text.slice(0, shownCharactersMax)}`
}
