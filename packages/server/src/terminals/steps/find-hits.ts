/**
 * Finds the nearest matching lines before or after an offset, for a person who steps through them. It reads the log in pieces and stops at
 * the first lines that it was asked for. Bytes that cannot match are not decoded, and other sessions run in between.
 */

import { longTurns, type Session } from '@agentpty/engine/session'
import { type LinePattern, matchingLines } from '@agentpty/engine/waits'
import { type Offset, patternSearchMsMax, patternTextBytesMax } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { type Line, linesOf, shownLine, tooSlow } from './find-lines.ts'
import { LineFilter, removed } from './line-filter.ts'
import { maskLines } from './mask-lines.ts'
import { cancelled } from './wait-in-call.ts'

export interface HitsOptions {
  /** Lines that begin in this range count, each up to its end. */
  readonly since: Offset
  readonly until: Offset
  readonly sought: LinePattern
  /** From the last line to the first. */
  readonly backward: boolean
  readonly limit: number
  /** For the text of the lines. */
  readonly maxBytes: number
  /** Masked before anything is searched. */
  readonly secrets: SecretValues | null
  readonly signal?: AbortSignal | undefined
}

export interface FoundHits {
  /** Each line as `offset: text`, as far as they fit. */
  readonly output: string
  /** The offsets of all of them. */
  readonly hits: Offset[]
  readonly missedBytes: number
}

/** Pieces that are passed over in one turn of the event loop: about a millisecond. A decoded piece takes as long as all of them. */
const piecesPerTurn = 8
const lineFeed = 0x0a

/** Errors: `invalid_input` for a slow pattern, `cancelled`. */
export async function findHits(session: Session, options: HitsOptions): Promise<FoundHits> {
  const { since, until, sought, backward, secrets, signal } = options
  const filter = new LineFilter(sought)
  const pieces = new Pieces(session, options)
  const found = new Found(options)
  let spentMs = 0
  let passed = 0
  for (let piece = pieces.next(); piece !== null && !found.isFull; piece = pieces.next()) {
    const lines = secrets === null ? filteredLines(piece, filter) : maskedLines(session, piece, secrets)
    if (lines.length > 0) {
      const texts = lines.map(({ text }) => text)
      const { hits, ms } = await matchingLines(sought, texts)
      spentMs += ms
      if (spentMs > patternSearchMsMax) throw tooSlow(sought.pattern)
      const matching = hits.flatMap((at) => lines[at] ?? [])
      const counted = matching.filter(
        ({ offset }) => offset >= since && offset < until && !isOnAlternateScreen(session, piece, offset),
      )
      found.add(backward ? counted.toReversed() : counted)
    }
    passed += lines.length > 0 ? piecesPerTurn : 1
    if (passed < piecesPerTurn) continue
    passed = 0
    await longTurns.turn()
    if (signal?.aborted) throw cancelled()
  }
  const missedBytes = Math.max(0, Math.min(session.log.start, until) - since)
  return { output: found.output.join('\n'), hits: found.hits, missedBytes }
}

/** Bytes of whole lines. A line that is longer than a piece is several lines. */
interface BytePiece {
  readonly bytes: Buffer
  readonly from: Offset
}

function filteredLines({ bytes, from }: BytePiece, filter: LineFilter): readonly Line[] {
  return filter.linesIn(bytes).flatMap(({ begin, end }) => linesOf(bytes.subarray(begin, end), from + begin))
}

function maskedLines(session: Session, { bytes, from }: BytePiece, secrets: SecretValues): readonly Line[] {
  return maskLines(linesOf(bytes, from), { session, since: from, until: from + bytes.length }, secrets)
}

const leadingControls = new RegExp(`^(?:${removed})+`)
const leadingBytesMax = 256

/** All text of the line was drawn on the alternate screen, which has no older rows. */
function isOnAlternateScreen({ modes, parsedTo }: Session, { bytes, from }: BytePiece, offset: Offset): boolean {
  if (modes.screenSince(parsedTo) === 0) return false
  const begin = offset - from
  const [controls = ''] = leadingControls.exec(bytes.toString('latin1', begin, begin + leadingBytesMax)) ?? []
  const lineEnd = bytes.indexOf(lineFeed, begin)
  const last = lineEnd < 0 ? from + bytes.length : from + lineEnd
  return modes.alternateScreenAt(offset + controls.length) && modes.alternateScreenAt(last)
}

/** The pieces of a log in the order of a search. Each one is read when it is needed, and valid until the next. */
class Pieces {
  readonly #session: Session
  readonly #range: HitsOptions
  readonly #memory = Buffer.allocUnsafe(patternTextBytesMax)
  #at: Offset

  constructor(session: Session, range: HitsOptions) {
    this.#session = session
    this.#range = range
    this.#at = range.backward ? this.#lineEnd(range.until) : this.#lineStart(range.since)
  }

  next(): BytePiece | null {
    return this.#range.backward ? this.#before() : this.#after()
  }

  #before(): BytePiece | null {
    const { log } = this.#session
    const lowest = Math.max(log.start, this.#range.since)
    const end = this.#at
    if (end <= lowest) return null
    const first = Math.max(lowest, end - patternTextBytesMax)
    // The byte before may be the end of a line. That of the last line is not one that begins a line of the piece.
    const lineEnd = first === lowest ? -1 : this.#read(first - 1, end - 1).indexOf(lineFeed)
    const from = lineEnd < 0 ? first : first + lineEnd
    this.#at = from
    return { bytes: this.#read(from, end), from }
  }

  #after(): BytePiece | null {
    const { log, parsedTo } = this.#session
    const from = Math.max(this.#at, log.start)
    if (from >= this.#range.until) return null
    const bytes = this.#read(from, Math.min(parsedTo, from + patternTextBytesMax))
    const lineEnd = from + bytes.length < parsedTo ? bytes.lastIndexOf(lineFeed) : -1
    const piece = lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd + 1)
    this.#at = from + piece.length
    return piece.length === 0 ? null : { bytes: piece, from }
  }

  /** The begin of the first line that begins at this offset or later. */
  #lineStart(offset: Offset): Offset {
    return offset <= this.#session.log.start ? offset : this.#lineEnd(offset)
  }

  /** The end of the line of the byte before this offset. */
  #lineEnd(offset: Offset): Offset {
    const { parsedTo } = this.#session
    const bytes = this.#read(offset - 1, Math.min(parsedTo, offset - 1 + patternTextBytesMax))
    const lineEnd = bytes.indexOf(lineFeed)
    return lineEnd < 0 ? Math.min(parsedTo, Math.max(offset, offset - 1 + bytes.length)) : offset + lineEnd
  }

  #read(from: Offset, until: Offset): Buffer {
    const { buffer, byteOffset, length } = this.#session.log.readInto(this.#memory, from, until)
    return Buffer.from(buffer, byteOffset, length)
  }
}

class Found {
  readonly hits: Offset[] = []
  readonly output: string[] = []
  readonly #limit: number
  #room: number

  constructor({ limit, maxBytes }: HitsOptions) {
    this.#limit = limit
    this.#room = maxBytes
  }

  get isFull(): boolean {
    return this.hits.length >= this.#limit
  }

  add(lines: readonly Line[]): void {
    for (const line of lines) {
      if (this.isFull) return
      this.hits.push(line.offset)
      if (this.#room > 0) this.#show(shownLine(line))
    }
  }

  /** The first line that does not fit is the last: a shorter one after it would look like the next one. */
  #show(text: string): void {
    this.#room -= Buffer.byteLength(text) + 1
    if (this.#room > 0) this.output.push(text)
  }
}
