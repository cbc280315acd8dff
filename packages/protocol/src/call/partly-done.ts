import { shownText } from '../approvals/shown-text.ts'
import { isTermError, TermError } from '../errors.ts'

const shownMax = 200
const refusals: ReadonlySet<string> = new Set(['denied', 'needs_approval', 'not_approved', 'limit_reached'])

/** The refusal of a line after earlier lines of its call were entered. A caller that repeats the call would enter those again. */
export function partlyDone(error: unknown, line: string): unknown {
  if (!isTermError(error) || !refusals.has(error.code)) return error
  return new TermError(
    'partly_done',
    `The lines before ${JSON.stringify(shownText(line, shownMax))} were entered, and this one was not: ${error.message}`,
    'Once it is allowed, type this line and those behind it, without the lines before it.',
    error.refusal,
  )
}
