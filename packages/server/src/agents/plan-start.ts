/** What a request to start an agent comes to: what runs, and how its first instruction gets to it. */

import { defined, TermError } from '@agentpty/protocol'
import type { Adapter, Worktree } from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbInput } from '@agentpty/protocol/verbs'
import { fencesOf, newNonce, withFenceRequest } from './fences.ts'
import { type GoesOn, lineForUsersShell, startOf } from './start-of.ts'

export type SpawnRequest = ParsedVerbInput<'spawn'> & {
  readonly goesOn?: GoesOn
  /** That was made for it. */
  readonly worktree?: Worktree | null
}

export interface Plan {
  readonly create: VerbInput<'create'>
  /** Null for a command of which nothing is known. */
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
    throw new TermError('invalid_input', 'An agent and a command are named.', 'Leave one of them out.')
  const known = adapters.find(({ name }) => name === agent) ?? null
  const isThroughShell = startsThroughShell(throughShell, known?.throughShell ?? null)
  if (known !== null) return planKnown(request, { ...known, throughShell: isThroughShell })
  if (model !== undefined)
    throw new TermError(
      'invalid_input',
      `Nothing is known of the models of ${agent ?? 'a command'}.`,
      'Name the model in the command.',
    )
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
