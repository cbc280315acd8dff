/**
 * Lines made to fit a budget: their head, their tail, and a note about the lines left out between them.
 *
 * Nothing is left out silently: the statement says how much, where to read it, and which lines in it look like errors.
 * The formatted text never exceeds the budget's bytes, and never cuts a character.
 */

import { withoutEscapes } from '@agentpty/protocol/escapes'
import type { RenderedLine } from '../screen/style-codes.ts'

interface FitBudget {
  /** Bytes of the formatted text in UTF-8; less than `fitBytesMin` counts as `fitBytesMin`. */
  readonly maxBytes: number
  /** Lines of output, the statement not counted. */
  readonly maxLines?: number
}

interface FittedLines {
  readonly head: readonly string[]
  readonly tail: readonly string[]
  /** Null when every line is there. A long line may then still be cut in its middle, which it says itself. */
  readonly omitted: OmittedLines | null
}

interface OmittedLines {
  readonly lines: number
  /** Bytes of output between `from` and `to`. */
  readonly bytes: number
  /** Offsets of the same kind as those of the lines; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** The first of them that look like errors, each with its offset. */
  readonly notable: readonly string[]
}

/** Room for the statement of an omission and a little text. */
export const fitBytesMin = 256

const headShare = 0.4
const notableShare = 0.25
const notableLinesMax = 8
/** No line may take more of the budget than this, or there would be no others. */
const lineShare = 0.25

export function fitLines(lines: readonly RenderedLine[], budget: FitBudget): FittedLines {
  const maxBytes = Math.max(fitBytesMin, Math.floor(budget.maxBytes))
  const maxLines = Math.max(1, Math.floor(budget.maxLines ?? Number.POSITIVE_INFINITY))
  const whole = lines.map((line) => line.text)
  if (fits(whole, maxBytes, maxLines)) return { head: whole, tail: [], omitted: null }
  const lineBytesMax = lines.length === 1 ? maxBytes : Math.floor(maxBytes * lineShare)
  const cut = whole.map((text) => cutMiddle(text, lineBytesMax))
  if (fits(cut, maxBytes, maxLines)) return { head: cut, tail: [], omitted: null }

  const notableBytes = Math.floor(maxBytes * notableShare)
  const room = maxBytes - statementBytes(lines) - notableBytes
  const head = { bytes: Math.floor(room * headShare), lines: headLinesIn(maxLines, headShare) }
  const headCount = countFitting(cut, head)
  const used = byteLengthOf(cut.slice(0, headCount))
  const rest = cut.slice(headCount).reverse()
  const tailCount = countFitting(rest, { bytes: room - used, lines: maxLines - headCount })
  const end = lines.length - tailCount
  return {
    head: cut.slice(0, headCount),
    tail: cut.slice(end),
    omitted: omission(lines, { begin: headCount, end, notableBytes }),
  }
}

/** Returns how many of the given number of lines show the beginning. A single line is the newest one. */
export function headLinesIn(maxLines: number, share: number): number {
  return maxLines === 1 ? 0 : Math.ceil(maxLines * share)
}

/** The fitted lines as one text. */
export function formatFitted({ head, tail, omitted }: FittedLines): string {
  if (omitted === null) return [...head, ...tail].join('\n')
  return [...head, ...statement(omitted), ...tail].join('\n')
}

interface Omission {
  readonly begin: number
  readonly end: number
  readonly notableBytes: number
}

function omission(lines: readonly RenderedLine[], { begin, end, notableBytes }: Omission): OmittedLines {
  const left = lines.slice(begin, end)
  const from = left[0]?.offset ?? 0
  const to = lines[end]?.offset ?? endOf(lines)
  const notable = left
    .filter((line) => isNotable(line.text))
    .slice(0, notableLinesMax)
    .map((line) => `${line.offset}: ${cutCharacters(line.text.trim())}`)
  const notableCount = countFitting(notable, { bytes: notableBytes, lines: notableLinesMax })
  const count = left.reduce((sum, { standsFor = 1 }) => sum + standsFor, 0)
  return { lines: count, bytes: to - from, from, to, notable: notable.slice(0, notableCount) }
}

function statement({ lines, bytes, from, to, notable }: OmittedLines): readonly string[] {
  const what = `${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}, ${grouped(bytes)} bytes omitted`
  const where = `(offsets ${from}-${to})`
  if (notable.length === 0) return [`[... ${what} ${where} ...]`]
  return [`[... ${what} ${where}; lines that look like errors in it:]`, ...notable, '[...]']
}

/** The most that the statement without its notable lines can take. */
function statementBytes(lines: readonly RenderedLine[]): number {
  const most = {
    lines: lines.reduce((sum, { standsFor = 1 }) => sum + standsFor, 0),
    bytes: endOf(lines),
    from: endOf(lines),
    to: endOf(lines),
    notable: [''],
  }
  return byteLengthOf(statement(most))
}

function endOf(lines: readonly RenderedLine[]): number {
  const last = lines.at(-1)
  return last === undefined ? 0 : last.offset + Buffer.byteLength(last.text)
}

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

function fits(lines: readonly string[], maxBytes: number, maxLines: number): boolean {
  return lines.length <= maxLines && byteLengthOf(lines) <= maxBytes
}

/** With one line feed for each line. */
function byteLengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}

/** Returns the number of first lines that fit. */
function countFitting(lines: readonly string[], room: { readonly bytes: number; readonly lines: number }): number {
  let bytes = 0
  const first = lines.findIndex((line, index) => {
    bytes += Buffer.byteLength(line) + 1
    return bytes > room.bytes || index >= room.lines
  })
  return first < 0 ? lines.length : first
}

/** A text too long for `maxBytes`, its line feed included, with a note instead of its middle. */
function cutMiddle(text: string, maxBytes: number): string {
  const source = Buffer.from(text)
  if (source.length < maxBytes) return text
  const note = (bytes: number): string => ` [... ${grouped(bytes)} bytes of this line omitted ...] `
  const kept = Math.max(0, maxBytes - 1 - Buffer.byteLength(note(source.length)))
  const headEnd = characterStart(source, Math.floor(kept / 2))
  const tailStart = characterStart(source, source.length - Math.floor(kept / 2), 1)
  const head = source.toString('utf8', 0, headEnd)
  const tail = source.toString('utf8', tailStart)
  return `${head}${note(tailStart - headEnd)}${tail}`
}

/** The nearest index, in steps, that is not inside a character. */
function characterStart(source: Buffer, index: number, step: 1 | -1 = -1): number {
  let at = index
  while (at > 0 && at < source.length && ((source[at] ?? 0) & 0xc0) === 0x80) at += step
  return at
}

interface NotableLine {
  /** Without escape sequences, cut to `notableCharactersMax`. */
  readonly text: string
  /** Index of its first byte in the bytes searched. */
  readonly offset: number
}

/**
 * Lines that look like errors, found in raw output without rendering it: what must not be lost when the middle of a
 * long output is left out. A guess by words, so "0 errors" counts; it is shown, never acted on.
 */
export const notableCharactersMax = 200

/** Searched before and after the word; a longer line is shown in part. */
const bytesBefore = 400
const bytesAfter = 1_000

const words = 'error|warning|fatal|failed|exception|traceback|panic'
const word = new RegExp(words, 'i')
const controls = /[\x00-\x08\x0b-\x1f\x7f]/g

const isNotable = (text: string): boolean => word.test(text)

/** The first `limit` notable lines. A carriage return ends a line here: each state of a progress bar is one. */
export function findNotableLines(bytes: Uint8Array, limit: number): readonly NotableLine[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // latin1 keeps one character per byte, so string indexes are byte offsets.
  const searched = source.toString('latin1')
  const found: NotableLine[] = []
  const matches = new RegExp(words, 'gi')
  while (found.length < limit) {
    const at = matches.exec(searched)?.index
    if (at === undefined) break
    const window = lineAround(searched, at)
    const text = withoutEscapes(source.toString('utf8', window.begin, window.end))
      .replaceAll(controls, '')
      .trim()
    // The word may have been in a title only.
    if (isNotable(text)) found.push({ text: cutCharacters(text), offset: window.begin })
    matches.lastIndex = endOfLine(searched, at)
  }
  return found
}

/** Its first characters, never half of one. */
function cutCharacters(text: string): string {
  if (text.length <= notableCharactersMax) return text
  const isInside = /[\ud800-\udbff]/.test(text[notableCharactersMax - 1] ?? '')
  return text.slice(0, notableCharactersMax - (isInside ? 1 : 0))
}

function lineAround(searched: string, at: number): { readonly begin: number; readonly end: number } {
  const farthest = Math.max(0, at - bytesBefore)
  const before = searched.slice(farthest, at)
  const breakAt = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'))
  let begin = farthest + breakAt + 1
  // Not inside a character.
  while (begin < at && isContinuation(searched.charCodeAt(begin))) begin += 1
  let end = Math.min(endOfLine(searched, at), at + bytesAfter)
  while (end < searched.length && isContinuation(searched.charCodeAt(end))) end -= 1
  return { begin: breakAt < 0 && farthest > 0 ? nearWord(searched, begin, at) : begin, end }
}

/** In a line too long to show from its begin, the shown part begins shortly before the word. */
function nearWord(searched: string, begin: number, at: number): number {
  let near = Math.max(begin, at - notableCharactersMax / 2)
  while (near < at && isContinuation(searched.charCodeAt(near))) near += 1
  return near
}

const isContinuation = (value: number): boolean => (value & 0xc0) === 0x80

function endOfLine(searched: string, at: number): number {
  const rest = /[\r\n]/g
  rest.lastIndex = at
  return rest.exec(searched)?.index ?? searched.length
}

// Runs of equal or similar lines, shown once with their count: a model would pay for each of them and learn nothing.
// Equal lines lose nothing by that. Lines that differ only in their numbers do, so they are joined only when room is
// short.

/** Shorter runs are shown as they are. */
const equalLinesMin = 4
const similarLinesMin = 16
/** The number of similar lines shown at the beginning of their run, and at its end. */
const similarHead = 5
const similarTail = 3

/** Replaces equal lines that follow each other by one line and their count. */
export function collapseEqual(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  return runsOf(lines, ({ text }) => text).flatMap((run) => {
    const [first, second] = run
    if (first === undefined || second === undefined || run.length < equalLinesMin) return run
    const text = `[... the same line ${runsOfLines(run.length - 1)} more times ...]`
    return bytesOf(run.slice(1)) > Buffer.byteLength(text) + 1
      ? [first, { text, offset: second.offset, standsFor: run.length - 1 }]
      : run
  })
}

/** Replaces lines that differ only in their numbers by the first ones, the last ones and their count. */
export function collapseSimilar(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  return runsOf(lines, withoutNumbers).flatMap((run) => {
    if (run.length < similarLinesMin) return run
    const left = run.slice(similarHead, -similarTail)
    const from = left[0]?.offset ?? 0
    const to = run.at(-similarTail)?.offset ?? 0
    const text = `[... ${runsOfLines(left.length)} lines that differ only in their numbers (offsets ${from}-${to}) ...]`
    return [...run.slice(0, similarHead), { text, offset: from, standsFor: left.length }, ...run.slice(-similarTail)]
  })
}

/** Leaves out the end of a run of similar lines that the lines end with. The caller reports a gap behind them. */
export function cutLastRun(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  const last = runsOf(lines, withoutNumbers).at(-1) ?? []
  return last.length < similarLinesMin ? lines : lines.slice(0, lines.length - last.length + similarHead)
}

/** Leaves out the beginning of a run of similar lines that the lines begin with. The caller reports a gap before them. */
export function cutFirstRun(lines: readonly RenderedLine[]): readonly RenderedLine[] {
  const [first = []] = runsOf(lines, withoutNumbers)
  return first.length < similarLinesMin ? lines : lines.slice(first.length - similarTail)
}

const withoutNumbers = ({ text }: RenderedLine): string => text.replaceAll(/\d+/g, '0')

function runsOf(lines: readonly RenderedLine[], keyOf: (line: RenderedLine) => string): readonly RenderedLine[][] {
  const runs: RenderedLine[][] = []
  let last: string | null = null
  for (const line of lines) {
    const key = keyOf(line)
    if (key === last) runs.at(-1)?.push(line)
    else runs.push([line])
    last = key
  }
  return runs
}

const runsOfLines = (count: number): string => count.toLocaleString('en')

const bytesOf = (lines: readonly RenderedLine[]): number =>
  lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0)
