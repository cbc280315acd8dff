/** The tools that a client is shown: those of its toolsets that no rule of the policy keeps from it. */

import { defined, type Stop } from '@agentpty/protocol'
import type { ToolDescription, ToolRules, Toolset } from '@agentpty/protocol/mcp'
import type { Tool } from '@modelcontextprotocol/server'
import { askTool } from './asking/ask-person.ts'

export interface Offered {
  readonly toolsets: readonly Toolset[]
  readonly rules: ToolRules
}

export function listedTools({ toolsets, rules }: Offered): Tool[] {
  return toolsOf(toolsets)
    .filter((tool) => rules.allows(tool))
    .map(toTool)
}

/** Calls each time the list of a client has become another one, until it is stopped. */
export function watchListedTools({ toolsets, rules }: Offered, changed: () => void): Stop {
  const tools = toolsOf(toolsets)
  const namesNow = () => tools.flatMap((tool) => (rules.allows(tool) ? tool.name : [])).join()
  let known = namesNow()
  return rules.watch(() => {
    const names = namesNow()
    if (names === known) return
    known = names
    changed()
  })
}

/** Lists each name once: when several toolsets have a tool of one name, the first is called. */
function toolsOf(toolsets: readonly Toolset[]): readonly ToolDescription[] {
  const byName = new Map<string, ToolDescription>()
  for (const tool of toolsets.flatMap(({ tools }) => tools)) if (!byName.has(tool.name)) byName.set(tool.name, tool)
  return canAsk(toolsets) ? [...byName.values(), askTool] : [...byName.values()]
}

/** `terminal_ask_person` is one of our own tools. */
export function canAsk(toolsets: readonly Toolset[]): boolean {
  return toolsets.some(({ name }) => name === 'terminal')
}

function toTool({ title, becomes: _, ...tool }: ToolDescription): Tool {
  return defined({ ...tool, title }) as Tool
}
