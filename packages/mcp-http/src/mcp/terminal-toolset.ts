/** Our own tools: each is a verb. */

import type { ToolAnswer, Toolset } from '@agentpty/protocol/mcp'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { brief } from './brief.ts'
import { listTools, verbOfTool } from './tool-list.ts'

export const terminalToolset: Toolset = {
  name: 'terminal',
  instructions:
    'Real terminals. terminal_run for one shell command; terminal_create + terminal_send for anything that talks back (REPL, debugger, ssh, installer, another agent): each call returns when it is your turn again, with what was printed. On outcome "timeout" the program still works: go on with terminal_read since the cursor. Full-screen programs: terminal_send_keys, terminal_screenshot.',
  tools: listTools(),
  async call(tool, input, { client, caller, origin, isForModel, ...context }) {
    const name = verbOfTool(tool)
    if (name === undefined) throw new Error(`no tool ${tool}`)
    // The client parses the input: what an agent sent is checked there, once.
    const result = await client.call(name, input as never, { ...context, numbersNames: true })
    const { image, ...rest } = { image: undefined, ...result }
    if (image !== undefined) return withImage(image, rest, isForModel)
    const fields = brief(rest)
    return { text: JSON.stringify(fields), structured: isForModel ? fields : rest }
  },
}

/** Models get no structured content: clients that have some show their model nothing else of the result. */
function withImage({ mimeType, data, width, height }: Image, rest: JsonObject, isForModel: boolean): ToolAnswer {
  const { screen: _, ...fields } = brief(rest)
  const answer = { text: JSON.stringify({ ...fields, width, height }), image: { mimeType, data } }
  return isForModel ? answer : { ...answer, structured: { ...rest, width, height } }
}

type Image = NonNullable<VerbOutput<'screenshot'>['image']>
