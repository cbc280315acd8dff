/**
 * Toolsets over MCP, for clients of protocol 2026-07-28 and of the older eras alike.
 *
 * A result is structured content and, as text, the part of its JSON that a model needs. Clients that are known to show
 * a model both get the same content twice, which they recognize; a program gets everything in the structured content.
 * An error is a result too (`isError`), because a model needs its hint.
 */

import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rootsAnswerMs, type ServerClient, subscriptionsMax, withCall } from '@agentpty/protocol'
import { isAgentClient } from '@agentpty/protocol/agents'
import { mcpClientName } from '@agentpty/protocol/call'
import { asPartOf } from '@agentpty/protocol/mcp'
import type { Questions } from '@agentpty/protocol/questions'
import { doctorName, reachedDaemonKey } from '@agentpty/protocol/setup'
import { toolVerbs } from '@agentpty/protocol/verbs'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  inputRequired,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { verifyPending, withApproval } from './asking/approve.ts'
import { askPerson, askTool, elicitationOf } from './asking/ask-person.ts'
import { type Callee, callTool, canAsk, listedTools, toToolResult, watchListedTools } from './call-tool.ts'
import { ListeningTransport } from './listening-http.ts'
import { ignoringFailure, ResourceWatcher } from './resource-watcher.ts'
import { addResources } from './resources.ts'
import { tasksExtension } from './tasks/task.ts'
import { addTasks, type Tasks } from './tasks/tasks.ts'
import { viewExtension } from './terminal-uri.ts'

export interface McpServerOptions extends Callee {
  readonly version: string
  /** The tasks of all clients: one that has lost its connection asks through another. */
  readonly tasks: Tasks
  /** The page that shows a terminal in a chat. */
  readonly view: () => Promise<string>
  /** The questions of all clients, and where they are answered; null without HTTP. */
  readonly questions: Questions
  readonly pageUrl: () => string | null
  /** A person in front of it may be asked what an agent may do; their answer counts. */
  readonly mayApprove: boolean
  /** The client's process is unknown, and so is its folder. */
  readonly isFar: boolean
}

/** Serves one connection until it is closed. */
export function serveMcp(transport: Transport, options: McpServerOptions): { close(): Promise<void> } {
  let server: Server | undefined
  const notify = (uri: string) => ignoringFailure(server?.sendResourceUpdated({ uri }))
  const { client, tasks } = options
  const watcher = new ResourceWatcher({
    client,
    updated: notify,
    listChanged: () => ignoringFailure(server?.sendResourceListChanged()),
  })
  const stopTools = watchListedTools(options, () => ignoringFailure(server?.sendToolListChanged()))
  const closed = () => {
    stopTools()
    watcher.end()
  }
  const listening = new ListeningTransport(transport, { tasks, watcher, notify, closed })
  const create = () => {
    server = createServer(options, watcher)
    return server
  }
  return serveStdio(create, { transport: listening, maxSubscriptions: subscriptionsMax, onerror: () => undefined })
}

/** A server for one connection, or for one request. */
export function createServer(options: McpServerOptions, watcher: ResourceWatcher): Server {
  const { version, toolsets, tasks, client, view } = options
  const server = new Server(
    { name: 'agentpty', title: 'agentpty', version, icons },
    {
      capabilities,
      cacheHints,
      requestState: { verify: verifyPending },
      instructions: toolsets.map(({ instructions }) => instructions).join('\n\n'),
    },
  )
  server.setRequestHandler('tools/list', async (_request, context) => {
    const tools = listedTools(options)
    if (clientInfo(server, context).name !== doctorName) return { tools }
    const { daemon, stateFolder, socket } = await client.control.status()
    return { tools, _meta: { [reachedDaemonKey]: { pid: daemon.pid, stateFolder, socket } } }
  })
  server.setRequestHandler('tools/call', async ({ params: asked }, context) => {
    const params = options.isFar
      ? await inClientFolder(asked, { context, capabilities: capabilitiesOf(server, context) })
      : asked
    if ('resultType' in params) return params
    const info = clientInfo(server, context)
    const isForModel = typeof info.name === 'string' && isAgentClient(info.name)
    const program = mcpClientName(info, options.isFar)
    const named = withProgram(client, program)
    const person = elicitationOf(capabilitiesOf(server, context))
    return tasks.answer(context, (task) => {
      if (canAsk(toolsets) && params.name === askTool.name)
        return toToolResult(isForModel, async () => {
          await options.rules.begin(askTool, program)
          const asking = { ...options, client: asPartOf(askTool.name, named), signal: task.signal }
          return askPerson(params.arguments, asking, { context, elicitation: person ?? { form: false, url: false } })
        })
      const call = (by: ServerClient) =>
        callTool({ ...options, client: by }, params, { context, task, isForModel, program })
      return options.mayApprove && person?.form === true ? withApproval(named, context, call) : call(named)
    })
  })
  server.setRequestHandler('prompts/list', () => ({ prompts: [] }))
  addTasks(server, tasks)
  addResources(server, { client, watcher, view })
  return server
}

const capabilities = {
  tools: { listChanged: true },
  prompts: {},
  resources: { subscribe: true, listChanged: true },
  extensions: { [tasksExtension]: {}, [viewExtension]: {} },
}

/** Requests that a client repeats at each start, whose answers change only with our version. */
const lasting = { ttlMs: 60 * 60 * 1_000, cacheScope: 'private' } as const
/** Tools come and go with rules of the policy, and not every client listens for that. */
const changing = { ttlMs: 60 * 1_000, cacheScope: 'private' } as const
const cacheHints = {
  'server/discover': lasting,
  'tools/list': changing,
  'prompts/list': lasting,
  'resources/templates/list': lasting,
}

/** The icon: a prompt in a window, as small as it can be drawn. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#111"/><path d="M3 5l3 3-3 3M8 11h5" fill="none" stroke="#3fb950" stroke-width="1.6"/></svg>'
const icons = [{ src: `data:image/svg+xml;base64,${btoa(icon)}`, mimeType: 'image/svg+xml', sizes: ['any'] }]

/** Sent with each request in the new era, once in the older ones. */
function clientInfo(server: Server, { mcpReq }: ServerContext): ClientInfo {
  const info = (mcpReq.envelope as JsonObject | undefined)?.[CLIENT_INFO_META_KEY]
  return isObject(info) ? info : (server.getClientVersion() ?? {})
}

interface ClientInfo {
  readonly name?: unknown
  readonly version?: unknown
}

/** The same client, whose calls say which program makes them. */
function withProgram(client: ServerClient, program: string): ServerClient {
  return withCall(client, (name, input, context) => client.call(name, input, { program, ...context }))
}

/** Sent with the client's name. */
function capabilitiesOf(server: Server, { mcpReq }: ServerContext): unknown {
  return (mcpReq.envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
}

/** Tools that open a terminal in a folder. */
const openers = new Set(Object.values(toolVerbs).flatMap(({ tool, opensTerminal }) => (opensTerminal ? [tool] : [])))

interface ToolInput {
  readonly name: string
  readonly arguments?: Record<string, unknown> | undefined
}

/** The call with the client's folder added, unless it names one; or the question for the folder. */
async function inClientFolder<Call extends ToolInput>(
  call: Call,
  { context, capabilities }: { readonly context: ServerContext; readonly capabilities: unknown },
): Promise<Call | InputRequiredResult> {
  const { name, arguments: input = {} } = call
  const isAsked = openers.has(name) && input['cwd'] === undefined && input['terminalId'] === undefined
  if (!isAsked || !isObject(capabilities) || !isObject(capabilities['roots'])) return call
  const { envelope, inputResponses } = context.mcpReq
  const isNewEra = envelope !== undefined
  // In the new era a client repeats its request, with its answer.
  if (isNewEra && inputResponses?.['roots'] === undefined)
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  const cwd = folderIn(isNewEra ? inputResponses?.['roots'] : await rootsOf(context))
  return cwd === null ? call : { ...call, arguments: { ...input, cwd } }
}

/**
 * The folder of a client, for terminals that it opens over HTTP: its process is unknown there, but most clients name
 * the folders that they are open in when they are asked.
 */
async function rootsOf({ mcpReq }: ServerContext): Promise<unknown> {
  try {
    return await mcpReq.send({ method: 'roots/list' }, { timeout: rootsAnswerMs })
  } catch {
    // When a client names no folder its terminal opens at home.
    return null
  }
}

/** The first folder that is on this machine. */
function folderIn(answer: unknown): string | null {
  const roots: unknown = isObject(answer) ? answer['roots'] : null
  const uris = Array.isArray(roots) ? roots.map((root: JsonObject) => root['uri']) : []
  return uris.map(folderAt).find((folder) => folder !== null) ?? null
}

function folderAt(uri: unknown): string | null {
  try {
    const path = fileURLToPath(String(uri))
    return statSync(path).isDirectory() ? path : null
  } catch {
    // The address is not that of a file, or is one of another machine.
    return null
  }
}
