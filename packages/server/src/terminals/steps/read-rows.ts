/**
 * One piece of the kept output as rows with their styles, for a view that scrolls through all of it. A piece begins and ends with a line, so
 * pieces in a row neither repeat nor miss one. Its size is bounded, and rendering it lets other sessions run in between.
 */

import type { OutputLog } from '@agentpty/engine/log'
import { type RenderedRows, renderRows } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { type LinePattern, matchesInLines } from '@agentpty/engine/waits'
import { defined, isTermError, type Offset } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { maskLines } from './mask-lines.ts'

/** About 400 rows: several screens, rendered in a few milliseconds. */
const pieceBytesMax = 32 * 1_024
/** Short lines are many rows, and a reader keeps a bounded number of rows. */
const pieceLinesMax = 1_000
/** The output in which the styles in force at the begin of a piece are found. */
const beforeBytes = 32 * 1_024

export interface RowsPiece {
  readonly output: string
  readonly rows: {
    readonly from: Offset
    readonly next: Offset
    readonly start: Offset
    readonly end: Offset
    readonly offsets: Offset[]
    readonly matches?: [row: number, from: number, to: number][]
  }
}

/** `since`: the piece begins with the line of this offset. Without it, the piece ends at `until`. */
export interface PieceRange {
  readonly since: Offset | undefined
  readonly until: Offset
  /** Its matches in the rows are found, too. */
  readonly sought?: LinePattern | null
}

export async function readRows(session: Session, range: PieceRange, secrets: SecretValues | null): Promise<RowsPiece> {
  const { log, modes, parsedTo: end } = session
  const { start } = log
  const { from, until } = alternateSpan(
    session,
    range.since === undefined ? pieceBefore(session, range.until) : pieceFrom(session, range.since, range.until),
  )
  const slice = log.read({ since: from, until })
  const before = log.read({ since: from - beforeBytes, until: from }).bytes
  const isAlternate = modes.alternateScreenAt(from)
  const { cols } = session.size
  const isSkipped = isAlternate && modes.screenSince(until) <= from
  const rendered = isSkipped ? [] : await renderRows(slice.bytes, { cols, before, isAlternate })
  const rows = maskRows(rendered, { session, since: slice.from, until, cols }, secrets)
  const offsets = rows.map(({ offset }) => offset + slice.from)
  const { sought = null } = range
  const matches = sought === null ? undefined : await matchesInRows(rows, sought)
  return {
    output: rows.map(({ styled }) => styled).join('\n'),
    rows: defined({ from, next: until, start, end, offsets, matches }),
  }
}

/** A line may have several rows, and a match may begin in one and end in another. */
async function matchesInRows(rows: RenderedRows, sought: LinePattern): Promise<[number, number, number][]> {
  const lines: { text: string; readonly rows: { readonly row: number; readonly from: number }[] }[] = []
  for (const [row, { text, isWrapped }] of rows.entries()) {
    const line = lines.at(-1)
    if (!isWrapped || line === undefined) lines.push({ text, rows: [{ row, from: 0 }] })
    else {
      line.rows.push({ row, from: line.text.length })
      line.text += text
    }
  }
  const texts = lines.map(({ text }) => text)
  // Rows that a pattern is too slow for have no marks. Their reader scrolls on.
  const found = await matchesInLines(sought, texts).catch((error: unknown) => {
    if (isTermError(error)) return []
    throw error
  })
  return found.flatMap(({ line, start, end }) =>
    (lines[line]?.rows ?? []).flatMap(({ row, from }): [number, number, number][] => {
      const length = rows[row]?.text.length ?? 0
      const first = Math.max(0, start - from)
      const last = Math.min(length, end - from)
      return first < last ? [[row, first, last]] : []
    }),
  )
}

interface Piece {
  readonly from: Offset
  readonly until: Offset
}

const lineFeed = 0x0a

function pieceFrom({ log, parsedTo }: Session, since: Offset, end: Offset): Piece {
  const from = lineStart(log, Math.min(since, parsedTo))
  const until = Math.min(end, from + pieceBytesMax)
  const { bytes } = log.read({ since: from, until })
  const ends = lineEnds(bytes)
  const last = ends.length > pieceLinesMax ? ends[pieceLinesMax - 1] : until === end ? undefined : ends.at(-1)
  return { from, until: last === undefined ? until : from + last + 1 }
}

/** The places of line feeds. */
function lineEnds(bytes: Uint8Array): readonly number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) ends.push(at)
  return ends
}

/** Inside of a line that began long before, the offset itself. */
function lineStart(log: OutputLog, offset: Offset): Offset {
  const from = log.lineStartBefore(offset, pieceBytesMax - 1)
  const isFound = from === log.start || log.read({ since: from - 1, until: from }).bytes[0] === lineFeed
  return isFound ? from : Math.max(offset, log.start)
}

function pieceBefore({ log }: Session, end: Offset): Piece {
  const until = Math.max(end, log.start)
  const from = Math.max(log.start, until - pieceBytesMax)
  // The byte before may be the end of a line. That of the last line is not one that begins a line of the piece.
  const since = Math.max(log.start, from - 1)
  const ends = lineEnds(log.read({ since, until: until - 1 }).bytes)
  const isWhole = from === log.start && ends.length < pieceLinesMax
  const first = ends.length < pieceLinesMax ? ends[0] : ends.at(-pieceLinesMax)
  return { from: isWhole || first === undefined ? from : since + first + 1, until }
}

/** A piece that is all on the alternate screen has no rows. It extends over all of that screen's output, so no reader steps through it. */
function alternateSpan({ log, modes, parsedTo }: Session, { from, until }: Piece): Piece {
  if (!modes.alternateScreenAt(from) || modes.screenSince(until) > from) return { from, until }
  return {
    from: Math.max(log.start, Math.min(from, modes.screenSince(from))),
    until: Math.max(until, modes.screenUntil(from) ?? parsedTo),
  }
}

interface MaskedSlice {
  readonly session: Session
  readonly since: Offset
  readonly until: Offset
  readonly cols: number
}

/** Where a secret is masked, the piece has no styles: a mask may differ in length from its secret. */
function maskRows(
  rows: RenderedRows,
  { session, since, until, cols }: MaskedSlice,
  secrets: SecretValues | null,
): RenderedRows {
  if (secrets === null) return rows
  // A secret may continue in the next row.
  const lines: { text: string; readonly offset: Offset }[] = []
  for (const { text, offset, isWrapped } of rows) {
    const line = lines.at(-1)
    if (isWrapped && line !== undefined) line.text += text
    else lines.push({ text, offset })
  }
  const masked = maskLines(lines, { session, since, until }, secrets)
  if (masked === lines) return rows
  return masked.flatMap(({ text, offset }) =>
    cutAt(text, cols).map((styled, at) => ({ text: styled, styled, offset, isWrapped: at > 0 })),
  )
}

function cutAt(text: string, cols: number): readonly string[] {
  const characters = [...text]
  const count = Math.max(1, Math.ceil(characters.length / cols))
  return Array.from({ length: count }, (_, at) => characters.slice(at * cols, (at + 1) * cols).join(''))
}
