/** A terminal as the tests of the policy have it: a person’s machine, the workspace below /srv. */

import { defined } from '@agentpty/protocol'
import type { PolicyShell } from '@agentpty/protocol/policy'
import { judge, judgeWrites, newSession, type PolicySession, type Situation } from './judge.ts'
import type { PolicyRules } from './rules/policy-rules.ts'
import type { Code, Judgement, ProfileName } from './verdict.ts'

export interface JudgingOptions {
  readonly profile?: ProfileName
  readonly shell?: PolicyShell
  readonly home?: string
  readonly rules?: PolicyRules
  readonly gate?: Situation['gate']
}

export const freshSession = (home = '/home/dev'): PolicySession =>
  newSession({ cwd: '/srv/app', home, user: 'dev', workspace: '/srv/app' })

export function judgementOn(
  command: string | readonly string[],
  { profile = 'standard', shell = 'bash', home, rules, gate }: JudgingOptions = {},
): Judgement {
  const situation = defined({ profile, shell, rules, gate })
  return typeof command === 'string'
    ? judge(command, freshSession(home), situation).judgement
    : judgeWrites(command, freshSession(home), situation).judgement
}

export const codeOf = (command: string | readonly string[], options?: JudgingOptions): Code =>
  judgementOn(command, options).code
