/** The dialog of an agent: what it asks, and its options with their numbers. */

import { isTermError } from '@agentpty/protocol'
import type { AwaitedAgent, VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { AgentCall } from '../parts/agents/queued-agents.ts'

export async function readDialog(
  terminalId: string,
  question: string | undefined,
  { client, signal }: CallOfAgents,
): Promise<JsonObject> {
  try {
    const { asked, options } = await client.call('reply', { terminalId }, { signal, isAside: true })
    return { question: asked, options: optionsIn(options) }
  } catch (error) {
    if (!isTermError(error) || error.code === 'cancelled') throw error
    // Its options cannot be read, or it has been answered just now.
    return { question: question ?? '' }
  }
}

export function optionsIn(options: VerbOutput<'reply'>['options']): readonly string[] {
  return options.map(({ number, label }) => `${number}. ${label}`)
}

export type Turn = Pick<AwaitedAgent, 'state' | 'needs' | 'question' | 'exitCode' | 'signal'> & {
  readonly outcome?: string | undefined
}

/**
 * `ended`: its program has ended. An exit with 0 counts as finished, and is `idle`. An agent that has given its answer
 * has finished, whatever it still draws.
 */
export function stateOf({ state, needs, exitCode, signal, outcome }: Turn): 'idle' | 'asks' | 'working' | 'ended' {
  if (state === 'exited') return exitCode === 0 && signal === undefined ? 'idle' : 'ended'
  if (needs === 'answer') return 'asks'
  return state === 'ready' || outcome === 'finished' ? 'idle' : 'working'
}

export interface CallOfAgents extends AgentCall {
  /** Wall time as text. */
  readonly isoTime: (wall: number) => string
}
