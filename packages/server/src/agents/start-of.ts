/** How an adapter starts its program: the command, its variables, and whether the first instruction is in it already. */

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { quote } from '@agentpty/engine/host'
import { defined, invalidInput, type TermError } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentStore,
  type HookCommands,
  type HookWay,
  hookMoments,
  hookSettings,
  permissionModesOf,
  resolveHook,
  type Worktree,
} from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbInput } from '@agentpty/protocol/verbs'
import { fencesOf, newNonce, withFenceRequest } from './fences.ts'

interface Wanted {
  /** Null: as its settings say. */
  readonly model: string | null
  /** Null: typed once it is idle, or none at all. */
  readonly instruction: string | null
  /** Null: a new one. */
  readonly goesOn: GoesOn | null
}

/** The conversation to continue, by the id that its program uses: in place, or in a new conversation that starts as a copy. */
export interface GoesOn {
  readonly how: 'resume' | 'fork'
  readonly conversation: string
  /** Where it is started. */
  readonly cwd: string
}

/** In which a program finds the instruction that is its standard input. */
const instructionVariable = 'AGENTPTY_INSTRUCTION'

/** Errors: `invalid_input` for a model or permissions that it does not have. `conversation`: null where its program chooses the id. */
function startOf(adapter: Adapter, { model, instruction, goesOn }: Wanted) {
  const { conversation, words: talk } = conversationOf(adapter, goesOn)
  const words = [...adapter.command, ...permissionsOf(adapter), ...modelOf(adapter, model), ...talk]
  const { firstInstruction } = adapter
  const env = { ...adapter.env }
  if (instruction !== null && firstInstruction.by === 'argument') words.push(instruction)
  if (instruction !== null && firstInstruction.by === 'flag') words.push(firstInstruction.flag, instruction)
  if (instruction !== null && firstInstruction.by === 'stdin') {
    env[instructionVariable] = instruction
    return { command: piped(words), env, conversation }
  }
  return {
    command: adapter.throughShell === true ? lineForUsersShell(words.map(quote).join(' ')) : words,
    env,
    conversation,
  }
}

/** Errors: `invalid_input` for what its program cannot. */
function conversationOf(adapter: Adapter, goesOn: GoesOn | null) {
  const { begin } = adapter.conversations
  const own = begin === null || goesOn?.how === 'resume' ? null : randomUUID()
  const words = own === null ? [] : named(begin ?? [], own)
  if (goesOn === null) return { conversation: own, words }
  const { how, conversation, cwd } = goesOn
  const first = adapter.conversations[how]
  if (first === null) throw cannot(adapter, how)
  return { conversation: how === 'resume' ? conversation : own, words: [...named(first, conversation, cwd), ...words] }
}

const named = (words: readonly string[], id: string, cwd = '') =>
  words.map((word) => (word === '{cwd}' ? cwd : word.replaceAll('{id}', id)))

function cannot({ name, conversations }: Adapter, how: GoesOn['how']): TermError {
  const what = how === 'fork' ? 'begin a new conversation from another' : 'go on with an earlier conversation'
  const other = conversations.resume === null ? '' : ' It can be resumed once it has ended: agentpty agent resume.'
  const hint = `Start a new one: agentpty agent spawn ${name}.${how === 'fork' ? other : ''}`
  return invalidInput(`The agent ${name} cannot ${what}.`, hint)
}

function permissionsOf(adapter: Adapter): readonly string[] {
  const { name, permissions, permissionMode } = adapter
  const words = permissions[permissionMode]
  if (words !== null) return words
  throw invalidInput(
    `The agent ${name} has no permissions "${permissionMode}".`,
    `Set agents.${name}.permissions in config.yaml to one of: ${permissionModesOf(adapter).join(', ')}.`,
  )
}

function modelOf({ name, modelFlag, models, defaultModel }: Adapter, asked: string | null): readonly string[] {
  const model = asked ?? defaultModel
  if (model === null) return []
  if (modelFlag === null)
    throw invalidInput(
      `No model can be chosen for the agent ${name}.`,
      'Leave it out, or set agents.NAME.model_flag in config.yaml.',
    )
  if (models.length > 0 && !models.includes(model))
    throw invalidInput(`The agent ${name} has no model "${model}".`, `There are: ${models.join(', ')}.`)
  return [modelFlag, model]
}

/** Its start-up files may say where programs are, and what they need. */
function lineForUsersShell(line: string): string {
  return `exec "$SHELL" -ic ${quote(line)}`
}

function piped(words: readonly string[]): string[] {
  return ['/bin/sh', '-c', `printf '%s' "$${instructionVariable}" | "$0" "$@"`, ...words]
}

/** Resolves a request to start an agent: the command that runs, and how its first instruction reaches it. */
export type SpawnRequest = ParsedVerbInput<'spawn'> & {
  readonly goesOn?: GoesOn
  /** That was made for it. */
  readonly worktree?: Worktree | null
}

export interface Plan {
  readonly create: VerbInput<'create'>
  /** Null for an unknown command. */
  readonly adapter: Adapter | null
  /** Words of the command that the configuration says, or agentpty for it. */
  readonly configuredWords: readonly string[]
  readonly conversation: string | null
  readonly isThroughShell: boolean
  readonly asksForAnswer: boolean
  /** Empty when there is none. */
  readonly instruction: string
  /** The instruction is in the command, with a request for fences that have this nonce, or without one. */
  readonly given: { readonly nonce: string | null } | null
}

/** Errors: `invalid_input`. */
export function planStart(request: SpawnRequest, adapters: readonly Adapter[]): Plan {
  const { agent, command, shell, model, throughShell } = request
  if (agent !== undefined && (command !== undefined || shell !== undefined))
    throw invalidInput('An agent and a command are named.', 'Leave one of them out.')
  const known = adapters.find(({ name }) => name === agent) ?? null
  const isThroughShell = startsThroughShell(throughShell, known?.throughShell ?? null)
  if (known !== null) return planKnown(request, { ...known, throughShell: isThroughShell })
  if (model !== undefined)
    throw invalidInput(`Nothing is known of the models of ${agent ?? 'a command'}.`, 'Name the model in the command.')
  return planCommand(request, isThroughShell)
}

function planKnown(request: SpawnRequest, adapter: Adapter): Plan {
  const { cwd, env, sandbox, limits, waitTimeoutMs, model = null, instruction = '' } = request
  const { asksForAnswer = adapter.asksForAnswer, goesOn = null } = request
  const isInCommand = instruction !== '' && adapter.firstInstruction.by !== 'typed'
  const nonce = isInCommand && asksForAnswer ? newNonce() : null
  const text = nonce === null ? instruction : withFenceRequest(instruction, fencesOf(nonce))
  const start = startOf(adapter, { model, instruction: isInCommand ? text : null, goesOn })
  const create = defined({ command: start.command, cwd, sandbox, limits, waitTimeoutMs, env: { ...start.env, ...env } })
  const isThroughShell = adapter.throughShell === true
  const { conversation } = start
  const given = isInCommand ? { nonce } : null
  const configuredWords = [...adapter.command, ...(adapter.permissions[adapter.permissionMode] ?? [])]
  return { create, adapter, configuredWords, conversation, isThroughShell, asksForAnswer, instruction, given }
}

function planCommand(request: SpawnRequest, isThroughShell: boolean): Plan {
  const { agent, command, shell, cwd, env, sandbox, limits, waitTimeoutMs, instruction = '' } = request
  const line = agent !== undefined && isThroughShell ? lineForUsersShell(agent) : (agent ?? command)
  const create = defined({ command: line, shell, cwd, env, sandbox, limits, waitTimeoutMs })
  const { asksForAnswer = false } = request
  return {
    create,
    adapter: null,
    configuredWords: [],
    conversation: null,
    isThroughShell,
    asksForAnswer,
    instruction,
    given: null,
  }
}

/** `set`: by the settings of the agent. */
function startsThroughShell(asked: SpawnRequest['throughShell'], set: boolean | null): boolean {
  if (asked === 'always' || asked === 'never') return asked === 'always'
  return set ?? asked === 'unless-set'
}

/** An adapter that starts its program with its hooks: in its words, or in a file of the instance's own that a variable names. */
export interface Hooking {
  readonly store: Pick<AgentStore, 'saveSettings'>
  readonly ownCommand: string
}

/** Adds the hooks to a command. `env`: the environment of its program. Errors: `invalid_input` when other settings are in their place. */
export function withHooks(
  adapter: Adapter,
  env: Readonly<Record<string, string>>,
  { store, ownCommand }: Hooking,
): Adapter {
  const { hookWay: way, hooks } = adapter
  const isAny = hookMoments.some((moment) => hooks[moment] !== null)
  if (!isAny) return adapter
  if (way === null) throw unknownWay(adapter)
  const settings = hookSettings(way, resolved(hooks, ownCommand))
  const [first] = settings
  if (first === undefined) return adapter
  if (way.by === 'flag') {
    // A flag with all of the settings counts once; one for each event is meant to be repeated.
    if (way.wrapper.includes('{{events}}') && adapter.command.includes(way.name)) throw taken(adapter, way.name)
    return { ...adapter, command: [...adapter.command, ...settings.flatMap((one) => [way.name, one])] }
  }
  const place = occupied(way, { ...env, ...adapter.env })
  if (place !== null) throw taken(adapter, place)
  const path = store.saveSettings(adapter.name, first)
  return path === null ? adapter : { ...adapter, env: { ...adapter.env, [way.name]: path } }
}

function resolved(hooks: HookCommands, ownCommand: string): HookCommands {
  const resolve = (command: string | null) => (command === null ? null : resolveHook(command, ownCommand))
  return { start: resolve(hooks.start), check: resolve(hooks.check), end: resolve(hooks.end) }
}

/** Returns the variable or file that the hooks would replace; null when there is none. */
function occupied({ name, replaces }: HookWay, env: Readonly<Record<string, string>>): string | null {
  if (env[name] !== undefined) return name
  return replaces !== null && existsSync(replaces) ? replaces : null
}

function unknownWay({ name }: Adapter): TermError {
  return invalidInput(
    `agentpty does not know how the agent ${name} takes its hooks.`,
    `Set agents.${name}.hook_settings_flag in config.yaml, or hook_delivery: none.`,
  )
}

function taken({ name }: Adapter, place: string): TermError {
  return invalidInput(
    `The hooks of the agent ${name} have no place: ${place} is in use already.`,
    `Write them there yourself, and set agents.${name}.hook_delivery: none in config.yaml.`,
  )
}
