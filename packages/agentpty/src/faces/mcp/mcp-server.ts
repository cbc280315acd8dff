/**
 * Toolsets over MCP, for clients of protocol 2026-07-28 and of the older eras alike.
 *
 * A result is structured content and, as text, the JSON of it that a model needs. Clients that are known to show a model
 * both get the same twice, which they notice; a program gets all there is in the structured one. An error is a result too (`isError`),
 * because its hint is the only thing a model has to go on.
 */

import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { LiveClient } from '../../contracts/client.ts'
import { isTermError } from '../../contracts/errors.ts'
import { isObject, type JsonObject } from '../../contracts/json-lines.ts'
import type { ToolDescription, Toolset } from '../../contracts/toolset.ts'
import { addResources } from './resources.ts'

export interface McpServerOptions {
  readonly version: string
  readonly client: LiveClient
  /** Who calls: doors keep apart what they keep for each. */
  readonly caller: string
  readonly toolsets: readonly Toolset[]
}

/** Serves one connection; the answer closes it. */
export function serveMcp(transport: Transport, options: McpServerOptions): { close(): Promise<void> } {
  return serveStdio(() => createServer(options), { transport, onerror: () => undefined })
}

/** A server for one connection, or for one request. */
export function createServer(options: McpServerOptions): Server {
  const { version, toolsets } = options
  const server = new Server(
    { name: 'agentpty', title: 'agentpty', version },
    { capabilities, instructions: toolsets.map(({ instructions }) => instructions).join('\n\n') },
  )
  const tools = uniqueTools(toolsets)
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', (request, context) =>
    callTool(options, request.params, { context, isForModel: isAgent(clientName(server, context)) }),
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: [] }))
  const endSubscriptions = addResources(server, options.client)
  server.onclose = () => endSubscriptions()
  return server
}

const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true } }

/** Of tools with one name in several toolsets the first one is called, so it alone is shown. */
function uniqueTools(toolsets: readonly Toolset[]): Tool[] {
  const byName = new Map<string, Tool>()
  for (const tool of toolsets.flatMap(({ tools }) => tools))
    if (!byName.has(tool.name)) byName.set(tool.name, toTool(tool))
  return [...byName.values()]
}

function toTool({ title, ...tool }: ToolDescription): Tool {
  return { ...tool, ...(title === undefined ? {} : { title }) } as Tool
}

/** What the clients of models call themselves. */
const agents = /^(claude-code|codex-mcp-client|gemini-cli-mcp-client|opencode|copilot-cli|qwen-cli)/

/** Told with each request in the new era, once in the older ones. */
function clientName(server: Server, { mcpReq }: ServerContext): string | undefined {
  const told = (mcpReq.envelope as JsonObject | undefined)?.[CLIENT_INFO_META_KEY]
  const name = isObject(told) ? told['name'] : undefined
  return typeof name === 'string' ? name : server.getClientVersion()?.name
}

const isAgent = (name: string | undefined): boolean => name !== undefined && agents.test(name)

async function callTool(
  { client, caller, toolsets }: McpServerOptions,
  { name: tool, arguments: input = {} }: { readonly name: string; readonly arguments?: unknown },
  { context, isForModel }: { readonly context: ServerContext; readonly isForModel: boolean },
): Promise<CallToolResult> {
  const toolset = toolsets.find(({ tools }) => tools.some(({ name }) => name === tool))
  if (toolset === undefined) {
    const names = toolsets.flatMap(({ tools }) => tools.map(({ name }) => name))
    // The protocol's own error: a client has asked for what the list does not have.
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${tool}". Tools: ${names.join(', ')}.`)
  }
  try {
    const { signal } = context.mcpReq
    const answer = await toolset.call(tool, input, { client, caller, isForModel, signal, ...progressOf(context) })
    const { text, structured, isError } = answer
    return {
      content: [{ type: 'text', text }],
      ...(structured === undefined ? {} : { structuredContent: structured }),
      ...(isError === true ? { isError } : {}),
    }
  } catch (error) {
    if (isTermError(error)) return failure(error.code, error.message, error.hint)
    const message = error instanceof Error ? error.message : String(error)
    return failure('internal', message, 'This is a defect in agentpty; try another way and report it.')
  }
}

function progressOf({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return {}
  const progress = (waitedMs: number, totalMs: number) => {
    const params = { progressToken, progress: Math.round(waitedMs), total: totalMs, message: 'waiting' }
    // Nobody is harmed by a progress note that its client does not get.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
  return { progress }
}

function failure(code: string, message: string, hint: string): CallToolResult {
  const error = { code, message, hint }
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(error) }], structuredContent: error }
}
