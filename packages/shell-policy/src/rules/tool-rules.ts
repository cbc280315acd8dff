/**
 * Finds the tools that a rule denies to agents. Names ignore case, and the name of a verb means its tool as well.
 *
 * `deny` applies to everything that a call is and becomes; `only` applies to the client's call: a rule that allows a door's tool also allows
 * the tools behind it.
 */

import { invalidInput, policyPatternsMax } from '@agentpty/protocol'
import { toolVerbs, type VerbName, verbs } from '@agentpty/protocol/verbs'
import { type Finding, type Judgement, judgementOf } from '../verdict.ts'
import { type CommandPattern, parseCommandPattern } from './command-pattern.ts'
import { compileExpression } from './expression.ts'
import { type CommandRule, noRules, type PolicyRules, profileOf } from './policy-rules.ts'
import { fitsWildcard } from './wildcard.ts'

export interface NamedTool {
  /** Spellings of the client's call; empty for calls that are no tool, and for a continued part of a call. */
  readonly called: readonly string[]
  /** The resulting calls, in the same way: a list of spellings each. */
  readonly becomes: readonly (readonly string[])[]
}

/** Null when no rule speaks against it. */
export function judgeTool(rules: PolicyRules, { called, becomes }: NamedTool): Judgement | null {
  const { deny, only } = rules.tools
  for (const names of [called, ...becomes]) {
    const denied = deny.find(({ pattern }) => names.some((name) => fitsWildcard(name.toLowerCase(), pattern)))
    if (denied !== undefined) return refusal(rules, { resolved: named(called, names), source: denied.source })
  }
  const isIn = (list: (typeof only)[number]) =>
    list.rules.some(({ pattern }) => called.some((name) => fitsWildcard(name.toLowerCase(), pattern)))
  const missing = called.length === 0 ? undefined : only.find((list) => !isIn(list))
  return missing === undefined ? null : refusal(rules, { resolved: named(called, called), source: missing.source })
}

/** A tool as rules name it, with the verbs that each call of it needs. */
export function namedTool(tool: string, becomes: readonly VerbName[]): NamedTool {
  return { called: [tool, verbsByTool.get(tool) ?? []].flat(), becomes: becomes.map(namesOfVerb) }
}

const verbsByTool: ReadonlyMap<string, string> = new Map(
  Object.entries(toolVerbs).map(([name, { tool }]) => [tool, name]),
)

/** Returns the names of a verb: that of its tool, if any, and its own. */
export function namesOfVerb(name: VerbName): readonly string[] {
  const { tool } = verbs[name]
  return tool === null ? [name] : [tool, name]
}

/** For example: `kill_agent (terminal_close)`. */
function named(called: readonly string[], denied: readonly string[]): string {
  const [tool = denied[0] ?? ''] = called
  return called === denied || called.length === 0 ? tool : `${tool} (${denied[0]})`
}

function refusal(rules: PolicyRules, found: Pick<Finding, 'resolved' | 'source'>): Judgement {
  return judgementOf({ code: 'D2', rule: 'tool-rule', ...found }, profileOf(rules))
}

// Patterns that a program adds to the policy: they tighten it, like a repository’s.

/** A shape as `docker push`, an expression between slashes, or one of JavaScript, which matches either case of letters. */
type OwnPattern = string | RegExp

export interface OwnPatterns {
  readonly deny?: readonly OwnPattern[]
  readonly ask?: readonly OwnPattern[]
}

/**
 * Rules to be joined to others. `name`: their source in reports; a pattern's number is its line. Errors: `invalid_input` for an
 * expression that cannot be matched in one pass, and for more patterns than a file may have.
 */
export function rulesOfPatterns({ deny = [], ask = [] }: OwnPatterns, name: string): PolicyRules {
  if (deny.length > policyPatternsMax || ask.length > policyPatternsMax)
    throw invalidInput(`More than ${policyPatternsMax} patterns.`, 'Join some of them by |.')
  const rule = (given: OwnPattern, index: number): CommandRule => {
    const pattern = patternOf(given)
    const source = { file: name, line: index + 1 }
    if (!('problem' in pattern)) return { pattern, text: String(given), source }
    const hint = 'Write it without references to groups, looking around and large counts.'
    throw invalidInput(`The pattern ${String(given)} has ${pattern.problem}.`, hint)
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
