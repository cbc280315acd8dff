/** Calls a tool, if its caller may: what it then does is known to be a part of that. */

import { isTermError } from '../errors.ts'
import { type ServerClient, withCall } from '../server-client.ts'
import { errorInDoorWords, inWordsOfDoor } from './door-words.ts'
import type { ToolAnswer } from './tool.ts'
import type { ToolCall, Toolset } from './toolset.ts'

export interface AskedCall {
  readonly tool: string
  readonly input: unknown
  /** Errors: refuses the call before it begins, and before its input is read. */
  readonly begin: () => Promise<void>
}

/** Errors: those of the toolset, and of `begin` where the toolset has no words for them. */
export async function callInToolset(
  toolset: Toolset,
  { tool, input, begin }: AskedCall,
  call: ToolCall,
): Promise<ToolAnswer> {
  try {
    await begin()
  } catch (error) {
    if (!isTermError(error) || toolset.answerRefused === undefined) throw error
    return toolset.answerRefused(errorInDoorWords(toolset.name, error))
  }
  const client = inWordsOfDoor(toolset.name, asPartOf(tool, call.client))
  return toolset.call(tool, input, { ...call, client })
}

/** The same client, whose calls are parts of that of a tool. */
export function asPartOf(tool: string, client: ServerClient): ServerClient {
  return withCall(client, (name, input, context) => client.call(name, input, { ...context, partOf: tool }))
}
