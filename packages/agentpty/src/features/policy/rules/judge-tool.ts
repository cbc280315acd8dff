/** Which tools may be called, by the rules of persons and repositories. Names have no case. */

import { type Finding, type Judgement, judgementOf } from '../verdict.ts'
import { type PolicyRules, profileOf } from './policy-rules.ts'
import { fitsWildcard } from './wildcard.ts'

/** Null when no rule speaks against it. */
export function judgeTool(rules: PolicyRules, tool: string): Judgement | null {
  const name = tool.toLowerCase()
  const denied = rules.tools.deny.find(({ pattern }) => fitsWildcard(name, pattern))
  const missing = rules.tools.only.find((list) => !list.rules.some(({ pattern }) => fitsWildcard(name, pattern)))
  const source = denied?.source ?? missing?.source
  if (source === undefined) return null
  const finding: Finding = { code: 'D2', rule: 'tool-rule', resolved: tool, source }
  return judgementOf(finding, profileOf(rules))
}
