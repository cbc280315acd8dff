/** Our own tools: each is a verb. */

import type { Toolset } from '../../contracts/mcp/toolset.ts'
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
    const result = await client.call(name, input as never, context)
    const fields = brief({ ...result })
    return { text: JSON.stringify(fields), structured: isForModel ? fields : { ...result } }
  },
}
