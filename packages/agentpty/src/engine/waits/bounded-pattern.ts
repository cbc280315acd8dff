/**
 * Callers' regular expressions, bounded in time: a pattern that backtracks for ever must not stop every session.
 * V8 looks for interrupts while it backtracks, so a script's time-out ends it.
 */

import { createContext, Script } from 'node:vm'
import { TermError } from '../../contracts/errors.ts'
import { searchMatchesMax } from '../../contracts/limits.ts'

const matchMsMax = 100

export interface Match {
  readonly start: number
  readonly end: number
}

const sandbox: { pattern: string; text: string; found: Match[] } = { pattern: '', text: '', found: [] }
const context = createContext(sandbox)
const script = new Script(`
  found = [];
  for (const match of text.matchAll(new RegExp(pattern, 'gm'))) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (found.length >= ${searchMatchesMax}) break;
  }
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

/** The first matches in the text. Errors: `invalid_input` when it takes too long or is no regular expression. */
export function matchesOf(pattern: string, text: string): readonly Match[] {
  checkPattern(pattern)
  sandbox.pattern = pattern
  sandbox.text = text
  try {
    script.runInContext(context, { timeout: matchMsMax })
  } catch {
    // Only the time-out is left: the pattern was checked, and the script has no other way to fail.
    throw new TermError(
      'invalid_input',
      `The pattern ${JSON.stringify(pattern)} takes too long to match.`,
      'Avoid nested repetition such as (a+)+.',
    )
  } finally {
    sandbox.text = ''
  }
  return sandbox.found
}
