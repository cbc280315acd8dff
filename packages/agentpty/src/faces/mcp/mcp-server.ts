/**
 * The verbs over MCP, for clients of protocol 2026-07-28 and of the older eras alike.
 *
 * A result is structured content and, as text, the JSON of it that a model needs. An error is a result too (`isError`), because its hint is
 * the only thing a model has to go on.
 */

import { type CallToolResult, Server, type ServerContext, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Client } from '../../contracts/client.ts'
import { isTermError } from '../../contracts/errors.ts'
import { resultText } from './result-text.ts'
import { listTools, verbOfTool } from './tool-list.ts'

export interface McpServerOptions {
  readonly version: string
  readonly client: Client
}

const instructions =
  'Real terminals. terminal_run for one shell command; terminal_create + terminal_send for anything that talks back (REPL, debugger, ssh, installer, another agent): each call returns when it is your turn again, with what was printed. On outcome "timeout" the program still works: go on with terminal_read since the cursor. Full-screen programs: terminal_send_keys, terminal_screenshot.'

/** Serves one connection; the answer closes it. */
export function serveMcp(transport: Transport, options: McpServerOptions): { close(): Promise<void> } {
  return serveStdio(() => createServer(options), { transport, onerror: () => undefined })
}

function createServer({ version, client }: McpServerOptions): Server {
  const server = new Server(
    { name: 'agentpty', title: 'agentpty', version },
    { capabilities: { tools: {} }, instructions },
  )
  const tools = [...listTools()]
  server.setRequestHandler('tools/list', () => ({ tools }))
  server.setRequestHandler('tools/call', (request, context) =>
    callTool(client, request.params.name, request.params.arguments ?? {}, context),
  )
  return server
}

async function callTool(client: Client, tool: string, input: unknown, context: ServerContext): Promise<CallToolResult> {
  const name = verbOfTool(tool)
  if (name === undefined)
    return failure(
      'invalid_input',
      `No tool "${tool}".`,
      `Tools: ${listTools()
        .map((one) => one.name)
        .join(', ')}.`,
    )
  try {
    // The client parses the input: whatever an agent sent is checked there, once.
    const result = await client.call(name, input as never, { signal: context.mcpReq.signal, ...progressOf(context) })
    return { content: [{ type: 'text', text: resultText({ ...result }) }], structuredContent: { ...result } }
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
