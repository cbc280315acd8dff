/** The dialog of an agent: what it asks, and its options with their numbers. */

import { isTermError } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import type { CallOfAgents } from './call.ts'

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
