/** Rules as the tests write them: the text of a user's `policy`, of a repository's file, and of CodeBuddy's. */

import type { PolicyFileKind } from '@agentpty/protocol/policy'
import { type JudgingOptions, judgementOn } from '../judging-fixture.ts'
import type { Judgement } from '../verdict.ts'
import { joinRules, noRules, type PolicyRules, profileOf } from './policy-rules.ts'
import { type ReadRules, readRules } from './read-rules.ts'

const paths: Readonly<Record<PolicyFileKind, string>> = {
  user: '/home/dev/.config/agentpty/config.yaml',
  repository: '/srv/app/.agentpty/policy.yaml',
  'codebuddy-security': '/srv/app/.codebuddy/security.json',
  'codebuddy-permissions': '/srv/app/.codebuddy/permissions.json',
}

export function readFixture(kind: PolicyFileKind, text: string): ReadRules {
  const place = { home: '/home/dev', folder: kind === 'user' ? null : '/srv/app' }
  const whole = kind === 'user' ? `policy:\n${text.replace(/^/gm, '  ')}` : text
  return readRules({ path: paths[kind], kind, text: whole }, place)
}

export type RuleTexts = Readonly<Partial<Record<PolicyFileKind, string>>>

export function rulesOf({ user, ...repositories }: RuleTexts): PolicyRules {
  const others = Object.entries(repositories).map(([kind, text]) => readFixture(kind as PolicyFileKind, text).rules)
  return joinRules(user === undefined ? noRules : readFixture('user', user).rules, ...others)
}

/** Judges by the profile of the rules, unless the options have another. */
export const judgeBy = (rules: PolicyRules, line: string | readonly string[], options?: JudgingOptions): Judgement =>
  judgementOn(line, { profile: profileOf(rules), ...options, rules })
