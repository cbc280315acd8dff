/** Judges a program that a call would start. */

import { readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { quote } from '@agentpty/engine/host'
import { defined, type Millis } from '@agentpty/protocol'
import { approvalKeptMs } from '@agentpty/protocol/approvals'
import { type Call, type CallContext, isToolCall, toolCallInput } from '@agentpty/protocol/call'
import { type GateSetting, undoCopyBytesMax } from '@agentpty/protocol/effects'
import type { ToolRules } from '@agentpty/protocol/mcp'
import { policyShells } from '@agentpty/protocol/policy'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import { isVerbName, type ParsedVerbInput, verbs } from '@agentpty/protocol/verbs'
import {
  baseName,
  type GateView,
  type IsHeld,
  isAtOrBelow,
  type Judgement,
  judgementOf,
  judgeStart as judgeProgramStart,
  judgeTool,
  type NamedTool,
  namedTool,
  namesOfVerb,
  newSession,
  type PolicyRules,
  type ProgramStart,
  profileOf,
  realOf,
  type Surroundings,
  statOf,
  strictest,
  type Touches,
  touchesOf,
  workspaceOf,
} from '@agentpty/shell-policy'
import type { RulesNews, RulesNewsOptions } from './rules-news.ts'
import { shellNamed } from './shell-reading.ts'

export interface JudgedCall {
  readonly judgement: Judgement
  readonly action: 'type' | 'run' | 'open'
  /** The text as it would be typed or started. */
  readonly text: string
  /** The first line of it is a secret, which is not in `text`. */
  readonly isSecret: boolean
  readonly cwd: string
  /** How strictly it was judged, and where that is set; null for what is built in. */
  readonly profile: PolicyRules['profile']
  /** How long a person may take to answer. */
  readonly approvalMs: Millis
  /** The effects of the call, for the person who decides; computed only then. */
  readonly touches: () => Touches
  /** Stores what is known afterwards; called when the call is allowed. */
  readonly allowed: () => void
}

type Start = Pick<ParsedVerbInput<'create'>, 'command' | 'shell' | 'cwd' | 'env'>

/** A program that would be started in a terminal of its own. */
export function judgeStart(
  input: Start,
  context: CallContext,
  { rules, sandbox, looserGate }: StartSurroundings,
): JudgedCall {
  const cwd = resolve(context.cwd, input.cwd ?? '.')
  const start = startOf(input, context)
  const shell = typeof start.command === 'string' ? shellNamed(input.shell ?? context.env['SHELL'] ?? 'sh') : 'sh'
  const session = newSession(surroundingsOf(cwd, context.env, sandbox))
  const situation = { profile: profileOf(rules), shell, rules }
  const ofProgram = judgeProgramStart(withoutConfigured(start, context), session, situation).judgement
  const judgement = looserGate === null ? ofProgram : strictest(ungated(looserGate, rules), ofProgram)
  const action = input.command === undefined ? 'open' : 'run'
  const approvalMs = rules.approvalTimeoutMs?.value ?? approvalKeptMs
  const touches = () => touchesOf(start.text, session, situation)
  const { profile } = rules
  const rest = { isSecret: false, cwd, profile, approvalMs }
  return { judgement, action, text: start.text, ...rest, touches, allowed: looserGate?.approve ?? (() => {}) }
}

interface StartSurroundings {
  readonly rules: PolicyRules
  readonly sandbox: SandboxInForce | null
  /** The requested gate, where it is looser than the required one. `approve` lets the call have it. */
  readonly looserGate: LooserGate | null
}

export interface LooserGate {
  readonly asked: GateSetting
  readonly required: GateSetting
  readonly approve: () => void
}

function ungated({ asked, required }: LooserGate, rules: PolicyRules): Judgement {
  const resolved = `a terminal with gate "${asked}" in place of "${required}"`
  return judgementOf({ code: 'Q2', rule: 'ungated', resolved }, profileOf(rules))
}

function startOf({ command, shell, env = {} }: Start, context: CallContext): ProgramStart {
  // Variables that the caller has already change nothing.
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

/** Larger files are changed without a copy where the file system shares no blocks. */
export const keepingGate: GateView = {
  isKept: (path) => (statOf(path)?.size ?? 0) <= undoCopyBytesMax,
  canElevate: process.getuid?.() === 0,
}

// The paths that the sandbox of a terminal keeps from changes, so that no person needs to be asked about them.

/** Folders that a program inside can change although the settings do not name them. A link in them may lead to a writable path. */
const ownFolders = ['/tmp', '/var/tmp', '/run', '/dev', '/proc']

/** All else can only be read there. A link outside may lead into a place that can be written, so links are followed. */
export function heldBy({ writable }: SandboxInForce): IsHeld {
  const open = [...writable.map(realPath), ...ownFolders]
  return (path) => {
    const real = realPath(path)
    return [path, real].every((one) => !open.some((folder) => isAtOrBelow(one, folder) || isAtOrBelow(folder, one)))
  }
}

/** Returns the real path as far as it exists: when the last part is missing, that of the folder. */
function realPath(path: string): string {
  const real = realOf(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), baseName(path))
}

/** Where a terminal's program really is, as marks can be printed by anybody; null where unknown, and for a process that has just ended. */
export function folderOfProcess(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Judges the tool of a call: a door's, a verb's, or a verb for programs. Null when no rule speaks against it, and for a person. */
export function judgeToolOf(call: Call, rules: () => PolicyRules): Judgement | null {
  if (call.context.isPerson === true) return null
  const inUse = rules()
  // Most have none, and every call passes here.
  if (inUse.tools.deny.length === 0 && inUse.tools.only.length === 0) return null
  const named = namedIn(call)
  return named === null ? null : judgeTool(inUse, named)
}

function namedIn(call: Call): NamedTool | null {
  if (isToolCall(call)) return namedTool(call.input.tool, call.input.becomes)
  const { name, context } = call
  if (!isVerbName(name) || context.isAside === true) return null
  const isPart = context.partOf !== undefined || verbs[name].tool === null
  return isPart ? { called: [], becomes: [namesOfVerb(name)] } : { called: namesOfVerb(name), becomes: [] }
}

interface CallerToolsOptions extends Pick<RulesNewsOptions, 'rulesFor'> {
  readonly news: RulesNews
  /** Asks the guards. Errors: those of a guard. */
  readonly pass: (call: Call) => Promise<void>
}

/** The tools that one caller may see and call: those that no rule of its folder keeps from it. */
export function toolsOfCaller(caller: CallContext, { rulesFor, news, pass }: CallerToolsOptions): ToolRules {
  return {
    allows: ({ name, becomes = [] }) => judgeTool(rulesFor([caller.cwd]), namedTool(name, becomes)) === null,
    begin: (tool, program) =>
      pass({ name: 'tool', input: toolCallInput(tool), context: defined({ ...caller, program }) }),
    watch: (changed) => news.watch(caller.cwd, changed),
  }
}
