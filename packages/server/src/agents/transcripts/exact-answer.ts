/**
 * The answer between the fences of a task in what a model has said, to the letter: neither wrapped nor drawn. A fence that it has made bold
 * or code is a fence still.
 */

import type { Fences } from '../fences.ts'

/** Markdown around a fence, in its line. */
const decoration = /^[ \t*_`#>]*$/

/**
 * The last whole one; null where there is none, or only the words of the request for it.
 *
 * @example exactAnswer('so:\n[a]\n| 1 |  \n[/a]', { open: '[a]', close: '[/a]' }) // '| 1 |  '
 */
export function exactAnswer(text: string, { open, close }: Fences): string | null {
  for (let end = text.lastIndexOf(close); end >= 0; end = end === 0 ? -1 : text.lastIndexOf(close, end - 1)) {
    const begin = text.lastIndexOf(open, end)
    if (begin < 0) return null
    const answer = between(text.slice(begin + open.length, end))
    if (!echoes.has(answer.trim())) return answer
  }
  return null
}

/** Between the fences of a request for them. */
const echoes: ReadonlySet<string> = new Set(['and', 'and a line'])

/** Without the rests of the lines of both fences. */
function between(text: string): string {
  const first = text.indexOf('\n')
  if (first < 0) return text.trim()
  const last = text.lastIndexOf('\n')
  const head = decoration.test(text.slice(0, first).replace(/\r$/, '')) ? first + 1 : 0
  const tail = decoration.test(text.slice(last + 1)) ? last : text.length
  // Both fences in lines of their own, with nothing between them.
  if (head > tail) return ''
  return text.slice(head, tail)
}
