/** What a person writes to name commands: a shape, or an expression between slashes. */

import type { Arg } from '../walk/value.ts'
import { type CommandShape, fitsShape, parseShape } from './command-shape.ts'
import { compileExpression, type Expression, type Work } from './expression.ts'
import type { Fit } from './wildcard.ts'

export type CommandPattern =
  | { readonly kind: 'shape'; readonly shape: CommandShape }
  | { readonly kind: 'expression'; readonly expression: Expression }

/** Whether it takes in more than it says (`deny`, `ask`), or is all of a command (`allow`). */
export type Reach = 'wide' | 'whole'

/** `/…/`, or `/…/i` for letters of either case. */
export const expressionText = /^\/(.+)\/(i?)$/s

export function parseCommandPattern(text: string, reach: Reach): CommandPattern | { readonly problem: string } {
  const found = expressionText.exec(text.trim())
  if (found === null) return { kind: 'shape', shape: parseShape(text) }
  const expression = compileExpression(found[1] ?? '', { flags: found[2] ?? '', isWhole: reach === 'whole' })
  return 'problem' in expression ? expression : { kind: 'expression', expression }
}

export interface Command {
  readonly words: readonly Arg[]
  /** Its words, joined by blanks; the first one without its folder in the second. */
  readonly texts: readonly string[]
  readonly ignoresCase: boolean
}

/** Null when that takes too much work. */
export function fitsCommand(pattern: CommandPattern, command: Command, reach: Reach, work: Work): Fit | null {
  if (pattern.kind === 'shape')
    return fitsShape(command.words, pattern.shape, { isWhole: reach === 'whole', ignoresCase: command.ignoresCase })
  return fitsTexts(pattern.expression, reach === 'whole' ? command.texts.slice(0, 1) : command.texts, work)
}

/** Null when that takes too much work. */
export function fitsTexts(expression: Expression, texts: readonly string[], work: Work): Fit | null {
  for (const text of texts) {
    const isMatch = expression.test(text, work)
    if (isMatch !== false) return isMatch === null ? null : 'yes'
  }
  return 'no'
}
