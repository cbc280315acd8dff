/** The tools that a client is shown: those of its toolsets that no rule of the policy keeps from it. */

import { defined, isTermError, type Stop, type TermError, taskWaitMsMax } from '@agentpty/protocol'
import {
  callInToolset,
  type ToolAnswer,
  type ToolCall,
  type ToolDescription,
  type ToolImage,
  type ToolRules,
  type Toolset,
} from '@agentpty/protocol/mcp'
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { askTool } from './asking/ask-person.ts'
import type { Task } from './tasks/task.ts'
import { knowsTasks } from './tasks/tasks.ts'

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

// Runs one call of a tool, and reports its progress.

/** The caller of tools: doors keep separate state for each. */
export interface Callee extends Offered, Pick<ToolCall, 'client' | 'caller' | 'origin'> {}

interface CallOf {
  readonly context: ServerContext
  readonly task: Task
  readonly isForModel: boolean
  /** The client's own name. */
  readonly program: string | undefined
}

/** Errors: `ProtocolError` for an unknown tool and when a toolset refuses by the protocol; all others are results. */
export async function callTool(
  { client, caller, origin, toolsets, rules }: Callee,
  { name: tool, arguments: input = {} }: { readonly name: string; readonly arguments?: unknown },
  { context, task, isForModel, program }: CallOf,
): Promise<CallToolResult> {
  const toolset = toolsets.find(({ tools }) => tools.some(({ name }) => name === tool))
  const known = toolset?.tools.find(({ name }) => name === tool)
  if (toolset === undefined || known === undefined) return answerUnknown({ toolsets, rules }, tool)
  const begin = () => rules.begin(known, program)
  return toToolResult(isForModel, async () => {
    const call = defined({
      client,
      caller,
      origin,
      isForModel,
      signal: task.signal,
      progress: progressOf(context, task),
      waitMsMax: knowsTasks(context) ? taskWaitMsMax : undefined,
    })
    return toResult(toolset, await callInToolset(toolset, { tool, input, begin }, call))
  })
}

/** The tool of the first toolset that has one of that name. */
function answerUnknown({ toolsets, rules }: Offered, tool: string): CallToolResult {
  const [first] = toolsets
  if (first?.answerUnknown !== undefined) return toResult(first, first.answerUnknown(tool))
  const names = listedTools({ toolsets, rules }).map(({ name }) => name)
  // The protocol's own error: the client has asked for a tool that is not in the list.
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${tool}". Tools: ${names.join(', ')}.`)
}

function toResult({ refusesByProtocol }: Toolset, { text, structured, isError, image }: ToolAnswer): CallToolResult {
  if (isError === true && refusesByProtocol === true)
    throw new ProtocolError(ProtocolErrorCode.InternalError, text, structured)
  const images = image === undefined ? [] : [imageBlock(image)]
  const content: CallToolResult['content'] = [{ type: 'text', text }, ...images]
  return defined({ content, structuredContent: structured, isError: isError || undefined })
}

/** Models take pixels as images. Markup would be refused by them as one, and is a resource that programs show. */
function imageBlock({ mimeType, data }: ToolImage): CallToolResult['content'][number] {
  if (mimeType === 'image/png') return { type: 'image', mimeType, data }
  return { type: 'resource', resource: { uri: 'agentpty://screen.svg', mimeType, text: data } }
}

export async function toToolResult<Result>(
  isForModel: boolean,
  call: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    const { code, message, hint } = isTermError(error) ? error : defect(error)
    const failure = { code, message, hint }
    const content = [{ type: 'text' as const, text: JSON.stringify(failure) }]
    // Some clients show a model both parts, and both of them twice for an error.
    return defined({ isError: true, content, structuredContent: isForModel ? undefined : failure })
  }
}

function progressOf({ mcpReq }: ServerContext, task: Task) {
  const progressToken = mcpReq._meta?.progressToken
  return (waitedMs: number, totalMs: number) => {
    task.say(`Waiting for ${Math.round(waitedMs / 1_000)} s of ${Math.round(totalMs / 1_000)}.`)
    if (progressToken === undefined || task.isHandedOut) return
    const params = { progressToken, progress: Math.round(waitedMs), total: totalMs, message: 'waiting' }
    // It does no harm when a client does not get a progress notification.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

function defect(error: unknown): Pick<TermError, 'code' | 'message' | 'hint'> {
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'internal', message, hint: 'This is a defect in agentpty; try another way and report it.' }
}
