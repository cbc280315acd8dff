/**
 * Callers' regular expressions, bounded in time: a pattern that backtracks for ever must not stop every session.
 * V8 looks for interrupts while it backtracks, so a script's time-out ends it.
 */

import { createContext, Script } from 'node:vm'
import { TermError } from '../../contracts/errors.ts'
import { searchMatchesMax } from '../../contracts/limits.ts'

/** Wall time: a harmless pattern over megabytes on a busy machine stays well below it. */
const matchMsMax = 500

export interface Match {
  readonly start: number
  readonly end: number
}

const sandbox: { pattern: string; text: string; lines: readonly string[]; after: number; found: unknown[] } = {
  pattern: '',
  text: '',
  lines: [],
  after: 0,
  found: [],
}
const context = createContext(sandbox)
const matchScript = new Script(`
  found = [];
  for (const match of text.matchAll(new RegExp(pattern, 'gm'))) {
    const end = match.index + match[0].length;
    if (end > after) found.push({ start: match.index, end });
    if (found.length >= ${searchMatchesMax}) break;
  }
`)
const lineScript = new Script(`
  found = ((expression) => lines.flatMap((line, i) => (expression.test(line) ? [i] : [])))(new RegExp(pattern));
`)

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

/** The first matches that end after `after`. Errors: `invalid_input` when it takes too long or is no regular expression. */
export function matchesOf(pattern: string, text: string, after = -1): readonly Match[] {
  Object.assign(sandbox, { pattern, text, after })
  return runBounded(matchScript, pattern) as Match[]
}

/** Indexes of the lines that match. Errors: as {@link matchesOf}. */
export function matchingLines(pattern: string, lines: readonly string[]): readonly number[] {
  Object.assign(sandbox, { pattern, lines })
  return runBounded(lineScript, pattern) as number[]
}

function runBounded(script: Script, pattern: string): unknown[] {
  checkPattern(pattern)
  try {
    script.runInContext(context, { timeout: matchMsMax })
    return sandbox.found
  } catch {
    // Only the time-out is left: the pattern was checked, and the scripts have no other way to fail.
    throw new TermError(
      'invalid_input',
      `The pattern ${JSON.stringify(pattern)} takes too long to match.`,
      'Avoid nested repetition such as (a+)+.',
    )
  } finally {
    Object.assign(sandbox, { text: '', lines: [], found: [] })
  }
}
