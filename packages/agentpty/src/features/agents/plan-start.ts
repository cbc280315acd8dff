/** What a request to start an agent comes to: what runs, and how its first instruction gets to it. */

import type { Adapter } from '../../contracts/agents/adapter.ts'
import { defined } from '../../contracts/defined.ts'
import { TermError } from '../../contracts/errors.ts'
import type { ParsedVerbInput, VerbInput } from '../../contracts/verbs/index.ts'
import { fenceRequest, fencesOf, newNonce } from './fences.ts'
import { startOf } from './start-of.ts'

type SpawnRequest = ParsedVerbInput<'spawn'>

export interface Plan {
  readonly create: VerbInput<'create'>
  /** Null for a command of which nothing is known. */
  readonly adapter: Adapter | null
  readonly conversation: string | null
  readonly asksForAnswer: boolean
  /** Empty when there is none. */
  readonly instruction: string
  /** The instruction is in the command, with a request for fences that have this nonce, or without one. */
  readonly given: { readonly nonce: string | null } | null
}

/** Errors: `invalid_input`. */
export function planStart(request: SpawnRequest, adapters: readonly Adapter[]): Plan {
  const { agent, command, shell, cwd, env, sandbox, waitTimeoutMs, model, instruction = '' } = request
  const rest = { cwd, sandbox, waitTimeoutMs }
  if (agent !== undefined && (command !== undefined || shell !== undefined))
    throw new TermError('invalid_input', 'An agent and a command are named.', 'Leave one of them out.')
  const adapter = adapters.find(({ name }) => name === agent) ?? null
  if (adapter === null) {
    if (model !== undefined) throw noModel(agent ?? 'a command')
    const create = defined({ ...rest, command: agent ?? command, shell, env })
    return {
      create,
      adapter,
      conversation: null,
      asksForAnswer: request.asksForAnswer ?? false,
      instruction,
      given: null,
    }
  }
  const asksForAnswer = request.asksForAnswer ?? adapter.asksForAnswer
  const isInCommand = instruction !== '' && adapter.firstInstruction.by !== 'typed'
  const nonce = isInCommand && asksForAnswer ? newNonce() : null
  const text = nonce === null ? instruction : `${fenceRequest(fencesOf(nonce))}${instruction}`
  const start = startOf(adapter, { model: model ?? null, instruction: isInCommand ? text : null })
  const create = defined({ ...rest, command: start.command, env: { ...start.env, ...env } })
  const { conversation } = start
  return { create, adapter, conversation, asksForAnswer, instruction, given: isInCommand ? { nonce } : null }
}

function noModel(what: string): TermError {
  return new TermError('invalid_input', `Nothing is known of the models of ${what}.`, 'Name the model in the command.')
}
