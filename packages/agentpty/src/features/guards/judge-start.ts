/** What the policy says of a program that a call would start. */

import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import type { CallContext } from '../../contracts/call/call-context.ts'
import { defined } from '../../contracts/defined.ts'
import { policyShells } from '../../contracts/policy/policy.ts'
import type { ParsedVerbInput } from '../../contracts/verbs/index.ts'
import { quote } from '../../engine/host/shell-integration.ts'
import { judge, newSession } from '../policy/judge.ts'
import { baseName } from '../policy/paths.ts'
import type { Surroundings } from '../policy/policy-state.ts'
import { type PolicyRules, profileOf } from '../policy/rules/policy-rules.ts'
import type { Judgement } from '../policy/verdict.ts'
import { shellNamed } from './reader.ts'
import { workspaceOf } from './workspace.ts'

export interface JudgedCall {
  readonly judgement: Judgement
  readonly action: 'type' | 'run' | 'open'
  /** As it would be typed or started. */
  readonly text: string
  readonly cwd: string
  /** What is known afterwards; called when the call goes on. */
  readonly allowed: () => void
}

type Start = Pick<ParsedVerbInput<'create'>, 'command' | 'shell' | 'cwd' | 'env'>

/** A program that would be started in a terminal of its own. */
export function judgeStart(input: Start, context: CallContext, rules: PolicyRules): JudgedCall {
  const cwd = resolve(context.cwd, input.cwd ?? '.')
  const text = startLine(input, context)
  const shell = shellNamed(input.shell ?? context.env['SHELL'] ?? 'sh')
  const session = newSession(surroundingsOf(cwd, context.env))
  const isText = typeof input.command === 'string'
  const { judgement } = judge(text, session, { profile: profileOf(rules), shell: isText ? shell : 'sh', rules })
  return { judgement, action: input.command === undefined ? 'open' : 'run', text, cwd, allowed: () => {} }
}

/** As it would be written at a prompt: the variables that are set for it, then its words. */
function startLine({ command, shell, env = {} }: Start, context: CallContext): string {
  // What the caller has already changes nothing.
  const changed = Object.entries(env).filter(([name, value]) => context.env[name] !== value)
  const variables = changed.map(([name, value]) => `${name}=${quote(value)}`)
  const words = command === undefined ? wordsOfShell(shell) : [command].flat()
  const line = typeof command === 'string' ? command : words.map(quote).join(' ')
  // A variable that is set for a whole line holds for each of its commands.
  const exported = variables.length > 0 && typeof command === 'string' ? `export ${variables.join(' ')}\n` : null
  return exported === null ? [...variables, line].join(' ') : `${exported}${line}`
}

/** A shell of the system is no command; any other program under that name is. */
function wordsOfShell(shell: string | undefined): readonly string[] {
  if (shell === undefined) return []
  const isOfSystem = /^(\/usr)?(\/local)?\/?(bin\/)?\w+$/.test(shell)
  return isOfSystem && policyShells.some((name) => name === basename(shell)) ? [] : [shell]
}

export function surroundingsOf(cwd: string, env: CallContext['env']): Surroundings {
  const home = env['HOME'] || homedir()
  const user = env['USER'] || baseName(home)
  return defined({ cwd, home, user, workspace: workspaceOf(cwd, home), shell: env['SHELL'] || undefined })
}
