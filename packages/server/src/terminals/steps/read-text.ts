/** Output as a person would have read it, within a budget. What is left out is stated: size, offsets, and lines like errors. */

import {
  collapseEqual,
  collapseSimilar,
  cutFirstRun,
  cutLastRun,
  findNotableLines,
  fitLines,
  formatFitted,
  headLinesIn,
  withBrokenEnd,
} from '@agentpty/engine/log'
import { type RenderedLine, renderText } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { defined, type Offset, outputBytesDefault, renderBytesMax } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import { maskLines } from './mask-lines.ts'

/** The limits of a reader's result. */
export interface Budget {
  readonly maxBytes?: number | undefined
  readonly maxLines?: number | undefined
  /** Masked before anything is cut to fit. */
  readonly secrets?: SecretValues | null
}

/** A part of the log, and what the caller typed there, whose echo is left out. */
export interface TypedRange {
  readonly since: Offset
  readonly until: Offset
  readonly typed?: string
}

export interface TextSlice {
  readonly output: string
  readonly next: Offset
  readonly missedBytes: number
}

const lookbackBytes = 4 * 1024

/** A slice that begins inside a full-screen program draws where that program drew. */
const enterAlternateScreen = Buffer.from('\x1b[?1049h')

/** Share of a huge slice's bytes that is rendered from its head; the rest from its tail. */
const headShare = 0.25

/** The rendered lines of a slice, with offsets of the log. */
export async function renderSlice(session: Session, since: Offset, until: Offset): Promise<readonly RenderedLine[]> {
  const { log } = session
  const leadStart = Math.max(log.lineStartBefore(since, lookbackBytes), session.modes.screenSince(since))
  const isAlternate = session.modes.alternateScreenAt(since)
  const lead = isAlternate ? enterAlternateScreen : log.read({ since: leadStart, until: since }).bytes
  const { bytes, from } = log.read({ since, until })
  const shown = withBrokenEnd(log, bytes, { since, until, isEnded: session.exit !== null })
  const lines = await renderText(shown, { cols: session.size.cols, lead })
  return lines.map(({ text, offset }) => ({ text, offset: offset + from }))
}

/** Text of [since, until) within the budget; `typed` is the caller's own input, whose echo is left out. */
export async function readText(session: Session, range: TypedRange, budget: Budget): Promise<TextSlice> {
  const { log } = session
  const { until } = range
  const since = Math.min(range.since, until)
  const missedBytes = Math.max(0, Math.min(log.start, until) - since)
  const from = Math.max(since, log.start)
  const maxBytes = budget.maxBytes ?? outputBytesDefault
  if (until - from > Math.max(renderBytesMax, shownBytes(maxBytes)))
    return { output: await readHuge(session, { ...range, since: from }, budget), next: until, missedBytes }
  const lines = await readLines(session, { ...range, since: from }, budget)
  return { output: fitBudget(lines, budget), next: until, missedBytes }
}

/** The rendered lines of a range as its reader is shown them. */
export async function readLines(
  session: Session,
  { since, until, typed }: TypedRange,
  { secrets }: Budget,
): Promise<readonly RenderedLine[]> {
  const lines = await stateCleared(session, { since, until }, async (slice) => {
    const rendered = await renderSlice(session, slice.since, slice.until)
    return slice.since === since ? withoutEcho(rendered, typed) : rendered
  })
  return maskLines(lines, { session, since, until }, secrets)
}

/** Lines as one text. A caller that names a budget gets all lines; otherwise equal lines are shown once. */
export function fitBudget(lines: readonly RenderedLine[], budget: Budget): string {
  const { maxBytes = outputBytesDefault, maxLines } = budget
  const limits = defined({ maxBytes, maxLines })
  if (isBudgetNamed(budget)) return formatFitted(fitLines(lines, limits))
  const fitted = fitLines(collapseEqual(lines), limits)
  return formatFitted(fitted.omitted === null ? fitted : fitLines(collapseAll(lines), limits))
}

const isBudgetNamed = ({ maxBytes, maxLines }: Budget): boolean => maxBytes !== undefined || maxLines !== undefined

/** For output that does not fit. */
const collapseAll = (lines: readonly RenderedLine[]): readonly RenderedLine[] => collapseSimilar(collapseEqual(lines))

/** Rendering megabytes to show kilobytes would cost seconds: only what can be shown is rendered. */
async function readHuge(session: Session, range: TypedRange, budget: Budget): Promise<string> {
  const { since, until } = range
  const maxBytes = budget.maxBytes ?? outputBytesDefault
  const maxLines = budget.maxLines ?? Number.POSITIVE_INFINITY
  const shown = shownBytes(maxBytes)
  const headEnd = lineBorder(session, since + Math.floor(shown * headShare))
  const tailStart = lineBorder(session, until - Math.floor(shown * (1 - headShare)))
  const head = await readLines(session, { ...range, until: headEnd }, budget)
  const tail = await readLines(session, { since: tailStart, until }, budget)
  const notable = await notableLines(session, headEnd, tailStart)
  const room = maxBytes - Buffer.byteLength(notable.join('\n')) - statementBytesMax
  const headLines = headLinesIn(maxLines, headShare)
  const [headShown, headShownEnd] = shownHead(head, headEnd, budget)
  const tailShown = isBudgetNamed(budget) ? tail : collapseSimilar(cutFirstRun(collapseEqual(tail)))
  const first = takeLines(headShown, { bytes: Math.floor(room * headShare), lines: headLines, keep: 'begin' })
  const lastRoom = {
    bytes: Math.floor(room * (1 - headShare)),
    lines: Number.isFinite(maxLines) ? maxLines - headLines : maxLines,
    keep: 'end',
  } as const
  const last = takeLines(tailShown.toReversed(), lastRoom).toReversed()
  const from = headShown[first.length]?.offset ?? headShownEnd
  const to = last[0]?.offset ?? until
  const named = notable.length > 0 ? ['; lines that look like errors in it:]', ...notable, '[...]'] : [']']
  const [end, ...below] = named
  const statement = `[... ${(to - from).toLocaleString('en')} bytes omitted (offsets ${from}-${to})${end}`
  return [...first.map(({ text }) => text), statement, ...below, ...last.map(({ text }) => text)].join('\n')
}

/** The shown beginning, and the offset of the text behind it. A run of similar lines that leads into the gap is a part of the gap. */
function shownHead(
  head: readonly RenderedLine[],
  headEnd: Offset,
  budget: Budget,
): readonly [lines: readonly RenderedLine[], end: Offset] {
  if (isBudgetNamed(budget)) return [head, headEnd]
  const all = collapseEqual(head)
  const shown = cutLastRun(all)
  return [collapseSimilar(shown), all[shown.length]?.offset ?? headEnd]
}

/** How much of a slice is rendered to fill a budget: escape sequences take room and show nothing. */
function shownBytes(maxBytes: number): number {
  return Math.max(maxBytes * 2, 16 * 1024)
}

/** In pieces, so that other sessions get their turn in between. */
async function notableLines({ log }: Session, since: Offset, until: Offset): Promise<readonly string[]> {
  const found: string[] = []
  let next = since
  while (next < until && found.length < notableMax) {
    const { bytes, from } = log.read({ since: next, until: Math.min(until, next + pieceBytes) })
    const lastLine = bytes.lastIndexOf(lineFeed)
    const piece = from + bytes.length < until && lastLine > 0 ? bytes.subarray(0, lastLine + 1) : bytes
    for (const { text, offset } of findNotableLines(piece, notableMax - found.length))
      found.push(`${offset + from}: ${text}`)
    next = from + piece.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  return found
}

const notableMax = 8
const pieceBytes = 512 * 1024

/** The begin of a line at or shortly before `offset`; inside a long line, a character near the offset. */
function lineBorder({ log }: Session, offset: Offset): Offset {
  const start = log.lineStartBefore(offset, lineLookbackBytes)
  const { bytes } = log.read({ since: start - 1, until: start })
  if (bytes[0] === lineFeed) return start
  const near = log.read({ since: offset - 3, until: offset + 1 }).bytes
  const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80
  let back = 0
  while (back < 3 && isContinuation(near[near.length - 1 - back])) back++
  return offset - back
}

const lineLookbackBytes = 2 * 1024
const lineFeed = 0x0a
const statementBytesMax = 160
const lineCharactersMax = 1_000

interface LineRoom {
  readonly bytes: number
  readonly lines: number
  /** Which part of a very long line stays. */
  readonly keep: 'begin' | 'end'
}

function takeLines(lines: readonly RenderedLine[], room: LineRoom): readonly RenderedLine[] {
  let left = room.bytes
  const taken: RenderedLine[] = []
  for (const { text, offset } of lines.slice(0, Math.max(0, room.lines))) {
    const line = text.length > lineCharactersMax ? cutLine(text, room.keep) : text
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    taken.push({ text: line, offset })
  }
  return taken
}

function cutLine(text: string, keep: LineRoom['keep']): string {
  return keep === 'begin' ? `${text.slice(0, lineCharactersMax)} [...]` : `[...] ${text.slice(-lineCharactersMax)}`
}

/** The first lines that only repeat the input, which the caller knows. A tab comes back as blanks. */
function withoutEcho(lines: readonly RenderedLine[], typed: string | undefined): readonly RenderedLine[] {
  const typedLines = (typed ?? '').split('\n').filter((line) => line !== '')
  let skipped = 0
  while (skipped < typedLines.length && isEcho(lines[skipped]?.text, typedLines[skipped] ?? '')) skipped++
  return lines.slice(skipped)
}

function isEcho(text: string | undefined, typed: string): boolean {
  if (!typed.includes('\t')) return text?.trimEnd() === typed.trimEnd()
  return text?.replaceAll(/\s+/g, ' ').trim() === typed.replaceAll(/\s+/g, ' ').trim()
}

// Output that a program has cleared from its screen. The result does not have it, and states how much it was.

const home = String.raw`\x1b\[(?:1;1)?H`
const erase = String.raw`\x1b\[[23]J|\x1bc`
/** Erasing the screen or its scrollback, also from its first row on, and a reset; as one where several follow each other. */
const clears = new RegExp(`(?:${home})*(?:${erase}|(?<=H)\\x1b\\[0?J)(?:${home}|${erase}|\\x1b\\[[01]?J)*`, 'g')

/** Returns the lines of a slice; where its program cleared the screen, those since then, below a statement of what was there before. */
async function stateCleared(
  session: Session,
  { since, until }: TypedRange,
  read: (slice: TypedRange) => Promise<readonly RenderedLine[]>,
): Promise<readonly RenderedLine[]> {
  const clearedAt = lastClear(session, since, until)
  const before = clearedAt === null ? [] : await read({ since, until: clearedAt })
  const count = before.filter(({ text }) => text.trim() !== '').length
  if (clearedAt === null || count === 0) return read({ since, until })
  const what = count === 1 ? '1 line before it is left out' : `${count} lines before it are left out`
  const text = `[... the screen was cleared here; ${what}: terminal_read {"since": ${since}, "raw": true}]`
  return [{ text, offset: clearedAt }, ...(await read({ since: clearedAt, until }))]
}

/** On the alternate screen programs draw, and nothing of theirs is output. */
function lastClear({ log, modes }: Session, since: Offset, until: Offset): Offset | null {
  const { bytes, from } = log.read({ since, until })
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  // Most output has neither, and is read at every call.
  if (!buffer.includes(eraseEnd) && !buffer.includes(reset)) return null
  // latin1 keeps one character per byte, so string indexes are byte offsets.
  const found = [...buffer.toString('latin1').matchAll(clears)]
  const last = found.findLast(({ index }) => !modes.alternateScreenAt(from + index))
  return last === undefined ? null : from + last.index
}

const eraseEnd = 'J'.charCodeAt(0)
const reset = '\x1bc'
