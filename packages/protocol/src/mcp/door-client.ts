/** The client that a door calls: its errors and outputs are in the words of the door. */

import { type ErrorCode, isTermError, TermError } from '../errors.ts'
import type { ServerClient } from '../server-client.ts'
import { toolVerbs, verbs } from '../verbs/verbs.ts'
import { withCall } from '../wrapped-client.ts'
import { inDoorWords, outputInDoorWords } from './door-words.ts'
import type { ToolsetName } from './tool.ts'

/** The same error in a door’s words; that a verb of ours found its input wrong is said without the verb. */
export function errorInDoorWords(toolset: ToolsetName, error: TermError): TermError {
  if (toolset === 'terminal') return error
  const { code, message, hint, refusal } = error
  const [, called = '', problems = ''] = /^(\w+): (.*)$/s.exec(message) ?? []
  if (code === 'invalid_input' && ownNames.has(called)) return new TermError(code, problems, '', refusal)
  const shown = quoting.has(code) ? message : inDoorWords(toolset, message)
  return new TermError(code, shown, inDoorWords(toolset, hint), refusal)
}

/** Their messages quote the call, or a rule of the user. */
const quoting: ReadonlySet<ErrorCode> = new Set(['denied', 'needs_approval', 'not_approved', 'partly_done'])

/** By which an error begins that is about the input of a verb. */
const ownNames: ReadonlySet<string> = new Set([
  ...Object.keys(verbs),
  ...Object.values(toolVerbs).map(({ tool }) => tool),
])

/** The same client, whose errors and outputs are in a door’s words. */
export function inWordsOfDoor(toolset: ToolsetName, client: ServerClient): ServerClient {
  if (toolset === 'terminal') return client
  return withCall(client, async (name, input, context) => {
    try {
      const result = await client.call(name, input, context)
      const { output } = result as { readonly output?: unknown }
      return typeof output === 'string' ? { ...result, output: outputInDoorWords(toolset, output) } : result
    } catch (error) {
      throw isTermError(error) ? errorInDoorWords(toolset, error) : error
    }
  })
}
