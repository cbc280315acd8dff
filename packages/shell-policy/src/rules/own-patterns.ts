/** Patterns that a program adds to the policy: they tighten it, like a repository’s. */

import { policyPatternsMax, TermError } from '@agentpty/protocol'
import { type CommandPattern, parseCommandPattern } from './command-pattern.ts'
import { compileExpression } from './expression.ts'
import { type CommandRule, noRules, type PolicyRules } from './policy-rules.ts'

/** A shape as `docker push`, an expression between slashes, or one of JavaScript, which matches either case of letters. */
export type OwnPattern = string | RegExp

export interface OwnPatterns {
  readonly deny?: readonly OwnPattern[]
  readonly ask?: readonly OwnPattern[]
}

/**
 * Rules to be joined to others. `name`: whose they are, as they are told; a pattern's number is its line. Errors: `invalid_input` for an
 * expression that cannot be matched in one pass, and for more patterns than a file may have.
 */
export function rulesOfPatterns({ deny = [], ask = [] }: OwnPatterns, name: string): PolicyRules {
  if (deny.length > policyPatternsMax || ask.length > policyPatternsMax)
    throw new TermError('invalid_input', `More than ${policyPatternsMax} patterns.`, 'Join some of them by |.')
  const rule = (given: OwnPattern, index: number): CommandRule => {
    const pattern = patternOf(given)
    const source = { file: name, line: index + 1 }
    if (!('problem' in pattern)) return { pattern, text: String(given), source }
    const hint = 'Write it without references to groups, looking around and large counts.'
    throw new TermError('invalid_input', `The pattern ${String(given)} has ${pattern.problem}.`, hint)
  }
  return { ...noRules, deny: deny.map(rule), ask: ask.map(rule) }
}

function patternOf(given: OwnPattern): CommandPattern | { readonly problem: string } {
  if (typeof given === 'string') return parseCommandPattern(given, 'wide')
  // It holds for either case of letters, as in the deep terminal; `g` and `y` have no effect.
  const flags = `i${given.flags.replace(/[div]/g, '')}`
  const expression = compileExpression(given.source, { flags })
  return 'problem' in expression ? expression : { kind: 'expression', expression }
}
