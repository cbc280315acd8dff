/** The tools of all toolsets, for those who write rules of them. */

import { toolsetNames } from '../contracts/mcp/tool.ts'
import type { OfferedTool } from '../contracts/policy/policy-room.ts'
import { askTool } from '../faces/mcp/asking/ask-person.ts'
import { Toolsets } from './mcp.ts'

export async function offeredTools(): Promise<readonly OfferedTool[]> {
  const all = await new Toolsets(null).all(toolsetNames)
  const tools = all.flatMap(({ name, tools }) => tools.map((tool) => ({ ...tool, toolset: name })))
  return [...tools, { ...askTool, toolset: 'terminal' }]
}
