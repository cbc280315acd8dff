/** The tools that one caller may see and call: those that no rule of its folder keeps from it. */

import { defined } from '@agentpty/protocol'
import { type Call, type CallContext, toolCallInput } from '@agentpty/protocol/call'
import type { ToolRules } from '@agentpty/protocol/mcp'
import { judgeTool, namedTool } from '@agentpty/shell-policy'
import type { RulesNews, RulesNewsOptions } from './rules-news.ts'

export interface CallerToolsOptions extends Pick<RulesNewsOptions, 'rulesFor'> {
  readonly news: RulesNews
  /** Asks the guards. Errors: those of a guard. */
  readonly pass: (call: Call) => Promise<void>
}

export function toolsOfCaller(caller: CallContext, { rulesFor, news, pass }: CallerToolsOptions): ToolRules {
  return {
    allows: ({ name, becomes = [] }) => judgeTool(rulesFor([caller.cwd]), namedTool(name, becomes)) === null,
    begin: (tool, program) =>
      pass({ name: 'tool', input: toolCallInput(tool), context: defined({ ...caller, program }) }),
    watch: (changed) => news.watch(caller.cwd, changed),
  }
}
