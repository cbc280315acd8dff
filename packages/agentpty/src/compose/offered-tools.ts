/** The tools of all toolsets, for writing rules of them. */

import { askTool } from '@agentpty/mcp-http/mcp'
import { toolsetNames } from '@agentpty/protocol/mcp'
import type { OfferedTool } from '@agentpty/protocol/policy'
import { Toolsets } from './mcp.ts'

export async function offeredTools(): Promise<readonly OfferedTool[]> {
  const all = await new Toolsets().all(toolsetNames)
  const tools = all.flatMap(({ name, tools }) => tools.map((tool) => ({ ...tool, toolset: name })))
  return [...tools, { ...askTool, toolset: 'terminal' }]
}
