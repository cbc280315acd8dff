/**
 * Some clients hide the tools of MCP servers behind a search tool. When a step needs such a tool, the search is made
 * first, automatically, and the step is played on the next request; the search does not count as a step.
 */

import { type Position, promptOf } from './position.ts'
import { type Step, toolsOf } from './script.ts'
import { findTool, isDiscovery, listedTool } from './tools.ts'
import type { ModelRequest } from './types.ts'

/** The search that must come before this step; null when there is nothing to find, or the search found nothing. */
export function discoveryStep({ step }: Position, request: ModelRequest): Step | null {
  const finder = request.tools.find(({ name }) => isDiscovery(name))
  if (finder === undefined) return null
  const hidden = toolsOf(step)
    .map(({ tool }) => tool)
    .filter((tool) => findTool(tool, request.tools) === undefined)
  if (hidden.length === 0 || wasAsked(request)) return null
  const names = hidden.map((tool) => listedTool(tool, request))
  const args =
    finder.name === 'ToolSearch'
      ? { query: `select:${names.join(',')}` }
      : { query: names.join(' ').replace(/[^A-Za-z0-9]+/g, ' '), limit: 20 }
  return { tool: finder.name, args }
}

function wasAsked({ entries }: ModelRequest): boolean {
  const lastPrompt = entries.findLastIndex((entry) => entry.kind === 'user' && promptOf(entry.text) !== '')
  return entries.slice(lastPrompt + 1).some(({ kind, text }) => kind === 'call' && isDiscovery(text))
}
