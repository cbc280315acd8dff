/** What the policy says of a program that a call would start. */

import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { quote } from '@agentpty/engine/host'
import { defined, type Millis } from '@agentpty/protocol'
import { approvalKeptMs } from '@agentpty/protocol/approvals'
import type { CallContext } from '@agentpty/protocol/call'
import { policyShells } from '@agentpty/protocol/policy'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import type { ParsedVerbInput } from '@agentpty/protocol/verbs'
import {
  baseName,
  type IsHeld,
  isAtOrBelow,
  type Judgement,
  judgeStart as judgeProgramStart,
  newSession,
  type PolicyRules,
  type ProgramStart,
  profileOf,
  realOf,
  type Surroundings,
  type Touches,
  touchesOf,
  workspaceOf,
} from '@agentpty/shell-policy'
import { shellNamed } from './reader.ts'

export interface JudgedCall {
  readonly judgement: Judgement
  readonly action: 'type' | 'run' | 'open'
  /** As it would be typed or started. */
  readonly text: string
  /** The first line of it is a secret, which is not in `text`. */
  readonly isSecret: boolean
  readonly cwd: string
  /** How strictly it was judged, and where that is set; null for what is built in. */
  readonly profile: PolicyRules['profile']
  /** How long a person may take to answer. */
  readonly approvalMs: Millis
  /** What it would do, for who decides; looked for only then. */
  readonly touches: () => Touches
  /** What is known afterwards; called when the call goes on. */
  readonly allowed: () => void
}

type Start = Pick<ParsedVerbInput<'create'>, 'command' | 'shell' | 'cwd' | 'env'>

/** A program that would be started in a terminal of its own. */
export function judgeStart(
  input: Start,
  context: CallContext,
  { rules, sandbox }: { readonly rules: PolicyRules; readonly sandbox: SandboxInForce | null },
): JudgedCall {
  const cwd = resolve(context.cwd, input.cwd ?? '.')
  const start = startOf(input, context)
  const shell = typeof start.command === 'string' ? shellNamed(input.shell ?? context.env['SHELL'] ?? 'sh') : 'sh'
  const session = newSession(surroundingsOf(cwd, context.env, sandbox))
  const situation = { profile: profileOf(rules), shell, rules }
  const { judgement } = judgeProgramStart(withoutConfigured(start, context), session, situation)
  const action = input.command === undefined ? 'open' : 'run'
  const approvalMs = rules.approvalTimeoutMs?.value ?? approvalKeptMs
  const touches = () => touchesOf(start.text, session, situation)
  const { profile } = rules
  const rest = { isSecret: false, cwd, profile, approvalMs }
  return { judgement, action, text: start.text, ...rest, touches, allowed: () => {} }
}

function startOf({ command, shell, env = {} }: Start, context: CallContext): ProgramStart {
  // What the caller has already changes nothing.
  const variables = Object.entries(env).filter(([name, value]) => context.env[name] !== value)
  const started = command ?? wordsOfShell(shell)
  const line = typeof started === 'string' ? started : started.map(quote).join(' ')
  const text = [...variables.map(([name, value]) => `${name}=${quote(value)}`), line].join(' ')
  return { variables, command: started, text }
}

function withoutConfigured(start: ProgramStart, { configuredWords = [] }: CallContext): ProgramStart {
  const options = configuredWords.filter((word) => word.startsWith('-'))
  const { command } = start
  if (typeof command !== 'string') return { ...start, command: command.filter((word) => !options.includes(word)) }
  return { ...start, command: options.reduce((line, word) => line.replace(` ${quote(word)}`, ''), command) }
}

/** A shell of the system is no command; any other program under that name is. */
function wordsOfShell(shell: string | undefined): readonly string[] {
  if (shell === undefined) return []
  const isOfSystem = /^(\/usr)?(\/local)?\/?(bin\/)?\w+$/.test(shell)
  return isOfSystem && policyShells.some((name) => name === basename(shell)) ? [] : [shell]
}

export function surroundingsOf(cwd: string, env: CallContext['env'], sandbox: SandboxInForce | null): Surroundings {
  const home = env['HOME'] || homedir()
  const user = env['USER'] || baseName(home)
  const isHeld = sandbox === null ? undefined : heldBy(sandbox)
  return defined({ cwd, home, user, workspace: workspaceOf(cwd, home), isHeld, shell: env['SHELL'] || undefined })
}

/** Which paths the walls of a terminal keep as they are, so that nobody has to be asked about them. */

/** What a program inside can change: the places it may write, and those that are its own, in which a link may lead to one of them. */
const ownFolders = ['/tmp', '/var/tmp', '/run', '/dev', '/proc']

/** All else can only be read there. A link outside may lead into a place that can be written, so links are followed. */
export function heldBy({ writable }: SandboxInForce): IsHeld {
  const open = [...writable.map(realPath), ...ownFolders]
  return (path) => {
    const real = realPath(path)
    return [path, real].every((one) => !open.some((folder) => isAtOrBelow(one, folder) || isAtOrBelow(folder, one)))
  }
}

/** As far as it is there: where its last part is not, the folder counts. */
function realPath(path: string): string {
  const real = realOf(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), baseName(path))
}
