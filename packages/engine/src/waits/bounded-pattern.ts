/**
 * Callers' regular expressions, bounded in time: a pattern that backtracks for ever must not stop any session.
 *
 * Nearly all searches end on the spot within a short time. A longer one is done again in a thread of its own
 * (`pattern-threads.ts`), where it costs nobody else's time, and refused when that takes too long as well. V8 checks
 * for interrupts while it backtracks, so a script's time-out ends it.
 */

import { createContext, Script } from 'node:vm'
import { patternLongMsMax, patternShortMsMax, TermError } from '@agentpty/protocol'
import {
  type Match,
  matchInThread,
  matchScript,
  type PatternSandbox,
  type PatternSearch,
  type ThreadResult,
} from './pattern-threads.ts'

export type { Match } from './pattern-threads.ts'

const sandbox: PatternSandbox = { pattern: '', text: '', after: 0, linewise: false, found: [] }
const context = createContext(sandbox)
const script = new Script(matchScript)

/** Errors: `invalid_input` when it is no regular expression. */
export function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, 'gm')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TermError(
      'invalid_input',
      `Not a regular expression: ${reason}.`,
      'Escape special characters with \\, or use a plain text condition.',
    )
  }
}

/**
 * The first matches that end after `after`; null when it takes longer than a search on the spot may. Errors:
 * `invalid_input` when it is no regular expression.
 */
export function matchBriefly(search: PatternSearch): readonly Match[] | null {
  checkPattern(search.pattern)
  try {
    Object.assign(sandbox, search)
    script.runInContext(context, { timeout: patternShortMsMax })
    return sandbox.found
  } catch {
    // The search has taken too long, or the pattern is too large to be compiled: the thread finds out which.
    return null
  } finally {
    Object.assign(sandbox, { text: '', found: [] })
  }
}

/** The same, with all the time that a pattern may have. Errors: `invalid_input` when that is not enough. */
export async function matchLong(search: PatternSearch): Promise<ThreadResult & { readonly found: readonly Match[] }> {
  const { found, ms } = await matchInThread(search)
  if (found !== null) return { found, ms }
  throw new TermError(
    'invalid_input',
    `The pattern ${JSON.stringify(search.pattern)} takes longer than ${patternLongMsMax} ms to match.`,
    'Avoid nested repetition such as (a+)+, or look for a plain text.',
  )
}

export interface MatchingLines {
  /** Indexes of the lines. */
  readonly hits: readonly number[]
  /** Time spent in a thread. */
  readonly ms: number
}

/** The lines that match. Errors: as {@link matchLong}. */
export async function matchingLines(pattern: string, lines: readonly string[]): Promise<MatchingLines> {
  const search = { pattern, text: lines.join('\n'), after: -1, linewise: true }
  const brief = matchBriefly(search)
  const { found, ms } = brief === null ? await matchLong(search) : { found: brief, ms: 0 }
  return { hits: Array.from(found, ({ start }) => start), ms }
}
