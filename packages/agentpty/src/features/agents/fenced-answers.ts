/**
 * Answers between fences, in a text or on a screen: there, rows break words and fences alike, and frames stand around them.
 *
 * A pair of fences with nothing but the words between them that a request for fences has repeats that request.
 */

import type { Fences } from './fences.ts'
import { joinRows } from './join-rows.ts'

/** The text without blanks and frames, and where each of its characters stood. */
interface Compact {
  readonly text: string
  readonly at: readonly number[]
}

/**
 * All whole answers in their order.
 *
 * @example fencedAnswers('[a]\n42\n[/a]', { open: '[a]', close: '[/a]' }) // ['42']
 */
export function fencedAnswers(text: string, { open, close }: Fences): readonly string[] {
  const { text: bare, at } = compact(text)
  const answers: string[] = []
  for (let from = 0; ; ) {
    const end = bare.indexOf(close, from)
    if (end < 0) return answers
    const begin = bare.lastIndexOf(open, end)
    if (begin >= from && !echoes.has(bare.slice(begin + open.length, end)))
      answers.push(textBetween(text, (at[begin + open.length - 1] ?? 0) + 1, at[end] ?? 0))
    from = end + close.length
  }
}

/** Between the fences of a request for them. */
const echoes: ReadonlySet<string> = new Set(['and', 'andaline'])

export function lastFencedAnswer(text: string, fences: Fences): string | null {
  return fencedAnswers(text, fences).at(-1) ?? null
}

/** An answer ends here that may have begun above. */
export function hasFenceEnd(text: string, { open, close }: Fences): boolean {
  const { text: bare } = compact(text)
  const end = bare.lastIndexOf(close)
  return end >= 0 && bare.lastIndexOf(open, end) < 0
}

function compact(text: string): Compact {
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
