/**
 * Answers between fences, in a text or on a screen: there, rows break words and fences alike, and frames stand around them.
 *
 * A pair of fences with nothing but the words between them that a request for fences has repeats that request.
 */

import type { Fences } from './fences.ts'

/**
 * Returns all whole answers in their order. Where a fence has its line to itself, only fences on lines of their own end the answer: those that
 * its text mentions belong to it.
 *
 * @example fencedAnswers('[a]\n42\n[/a]', { open: '[a]', close: '[/a]' }) // ['42']
 */
export function fencedAnswers(text: string, fences: Fences): readonly string[] {
  return pairFences(text, fences).answers
}

/** `endsOpen`: the last closing fence has no opening one in this text. */
function pairFences(text: string, fences: Fences) {
  const { text: bare, at } = compact(text)
  const marks = marksIn(bare, fences).map((mark) => ({ ...mark, isAlone: isAlone(text, mark, at) }))
  const between = (open: Mark, close: Mark) => bare.slice(open.end, close.begin)
  const answers: string[] = []
  const take = (open: Mark, close: Mark) => {
    if (!echoes.has(between(open, close)))
      answers.push(textBetween(text, (at[open.end - 1] ?? 0) + 1, at[close.begin] ?? 0))
  }
  let opened: Mark | null = null
  let endsOpen = false
  for (let index = 0; index < marks.length; index++) {
    const mark = marks[index] as PlacedMark
    if (mark.isClose) {
      endsOpen = opened === null
      if (opened !== null) take(opened, mark)
      opened = null
      continue
    }
    opened = mark
    const next = marks[index + 1]
    const isEcho = next?.isClose === true && echoes.has(between(mark, next))
    const end = mark.isAlone && !isEcho ? endOfBlock(marks, index) : null
    if (end === null) continue
    take(mark, marks[end] as PlacedMark)
    index = end
    opened = null
    endsOpen = false
  }
  return { answers, endsOpen }
}

/** Offsets in the text without blanks. */
interface Mark {
  readonly isClose: boolean
  readonly begin: number
  readonly end: number
}

interface PlacedMark extends Mark {
  /** Its line has no letter or digit besides. */
  readonly isAlone: boolean
}

function marksIn(bare: string, { open, close }: Fences): readonly Mark[] {
  const found = (fence: string, isClose: boolean) => {
    const marks: Mark[] = []
    for (let begin = bare.indexOf(fence); begin >= 0; begin = bare.indexOf(fence, begin + fence.length))
      marks.push({ isClose, begin, end: begin + fence.length })
    return marks
  }
  return [...found(open, false), ...found(close, true)].toSorted((a, b) => a.begin - b.begin)
}

function isAlone(text: string, { begin, end }: Mark, at: readonly number[]): boolean {
  const first = at[begin] ?? 0
  const last = at[end - 1] ?? 0
  const lineEnd = text.indexOf('\n', last)
  const before = text.slice(text.lastIndexOf('\n', first) + 1, first)
  const after = text.slice(last + 1, lineEnd < 0 ? text.length : lineEnd)
  return !/[\p{L}\p{N}]/u.test(before + after)
}

/** The fence that closes the one at `from`, each on its own line, examples inside included. Null: still being written, or drawn twice. */
function endOfBlock(marks: readonly PlacedMark[], from: number): number | null {
  let depth = 0
  for (let index = from; index < marks.length; index++) {
    const { isAlone, isClose } = marks[index] as PlacedMark
    if (!isAlone) continue
    depth += isClose ? -1 : 1
    if (depth === 0) return index
  }
  return null
}

/** Between the fences of a request for them. */
const echoes: ReadonlySet<string> = new Set(['and', 'andaline'])

export function lastFencedAnswer(text: string, fences: Fences): string | null {
  return fencedAnswers(text, fences).at(-1) ?? null
}

/** An answer ends here that may have begun above. */
export function hasFenceEnd(text: string, fences: Fences): boolean {
  return pairFences(text, fences).endsOpen
}

/**
 * Returns the last whole answer in raw output, for a screen that shows only its end; null where the output does not end as the screen does. A
 * program that moves its cursor leaves pieces of the request between its fences.
 *
 * @example answerEndingOn('b\n[/a]', '[a]\na\nb\n[/a]', { open: '[a]', close: '[/a]' }) // 'a\nb'
 */
export function answerEndingOn(screen: string, output: string, fences: Fences): string | null {
  const answer = lastFencedAnswer(output, fences)
  if (answer === null) return null
  const { text: bare, at } = compact(screen)
  const above = screen.slice(0, at[bare.lastIndexOf(fences.close)] ?? 0).split('\n')
  const lastRow = above.map((row) => compact(row).text).findLast((row) => row !== '')
  return lastRow !== undefined && compact(answer).text.endsWith(lastRow) ? answer : null
}

/** Returns the text without blanks and frames, and the offset that each of its characters had. */
function compact(text: string) {
  const at: number[] = []
  let bare = ''
  for (let index = 0; index < text.length; index++) {
    if (isBlankOrFrame(text.charCodeAt(index))) continue
    bare += text[index]
    at.push(index)
  }
  return { text: bare, at }
}

/** Blanks, and what programs draw boxes with. */
function isBlankOrFrame(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || (code >= 0x2500 && code <= 0x259f)
}

function textBetween(text: string, from: number, until: number): string {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  // The first row keeps its column, so that it is indented like the others.
  const lead = ' '.repeat(from - lineStart)
  return joinRows(`${lead}${text.slice(from, until)}`.split('\n'))
}

const frameLeft = /^(\s*)[│┃║▌▐╎┆](?:\s|$)/u
const frameRight = /\s*[│┃║▌▐╎┆]\s*$/u
const drawn = /^[\s\u2500-\u259f]*[\u2500-\u259f][\s\u2500-\u259f]*$/u

/**
 * Rows of a screen as the text that was drawn on them: without frames and the indent that all of them have.
 *
 * @example joinRows(['  │ one │', '  │  two │']) // 'one\n two'
 */
function joinRows(rows: readonly string[]): string {
  const inside = rows.filter((row) => !drawn.test(row) || isEmptyRow(row)).map(withoutFrame)
  const filled = inside.filter((row) => row.trim() !== '')
  const indent = filled.reduce(
    (least, row) => Math.min(least, row.length - row.trimStart().length),
    filled[0]?.length ?? 0,
  )
  const lines = inside.map((row) => row.slice(indent).trimEnd())
  return lines.join('\n').trim()
}

/** A row of a box with nothing in it. */
const isEmptyRow = (row: string) => frameLeft.test(row) && !/[─━═╭╮╰╯┌┐└┘]/u.test(row)

function withoutFrame(row: string): string {
  const left = frameLeft.exec(row)
  const inner = left === null ? row : `${left[1]}  ${row.slice(left[0].length)}`
  return inner.replace(frameRight, '')
}
