/**
 * MCP over streamable HTTP, at one path for both eras.
 *
 * 2026-07-28 has no sessions: each request is served on its own. Clients of 2025 open a session with `initialize` and have
 * their own server until they end it, or too many others were used after it. A request of theirs
 * without any session is served too, on its own, as older servers did.
 */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BoundedMap, httpSessionsMax, messageBytesMax, type Stop, subscriptionsMax } from '@agentpty/protocol'
import { parseToolsets, type ToolsetName } from '@agentpty/protocol/mcp'
import { type CallerScope, httpEndpointsMax } from '@agentpty/protocol/scope'
import { isObject } from '@agentpty/protocol/wire'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { listenMethod, listenOverHttp } from './listening-http.ts'
import { ignoringFailure, type ResourceWatcher } from './resource-watcher.ts'
import type { Tasks } from './tasks/tasks.ts'

/** The ways in which a server's notifications reach its clients. */
export interface Notifiers {
  readonly updated: (uri: string) => void
  readonly listChanged: () => void
}

export interface McpEndpointOptions {
  /** A server for one session, or for one request. */
  readonly createServer: (caller: string, toolsets: readonly ToolsetName[], watcher: ResourceWatcher) => Promise<Server>
  readonly createWatcher: (notifiers: Notifiers) => ResourceWatcher
  /** Calls each time the list of these tools has become another one. */
  readonly watchTools: (toolsets: readonly ToolsetName[], changed: () => void) => Promise<Stop>
  /** Called when a session begins; returns the function to call at its end. */
  readonly connected: (caller: string) => Stop
  /** The name of its callers in lists. */
  readonly caller: string
  readonly tasks: Tasks
}

type Serve = (request: Request) => Promise<Response>

/**
 * The path's `?toolset=a,b` chooses the tools, as `--toolset` does. What is served to one scope has sessions and subscriptions of its own: their
 * ids say nothing to others.
 */
export function mcpRoute(optionsFor: (scope: CallerScope | null) => McpEndpointOptions) {
  type Handler = ReturnType<typeof toNodeHandler>
  const handlers = new BoundedMap<string, { readonly handler: Handler; readonly end: () => void }>(
    httpEndpointsMax,
    ({ end }) => end(),
  )
  const handlerFor = (toolsets: readonly ToolsetName[], scope: CallerScope | null) => {
    const key = `${scope?.id ?? ''} ${[...toolsets].sort().join()}`
    const known = handlers.get(key)
    if (known !== undefined) return known.handler
    const { serve, end } = endpoint(optionsFor(scope), toolsets)
    const handler = toNodeHandler({ fetch: serve }, limits)
    handlers.set(key, { handler, end })
    return handler
  }
  return async (request: IncomingMessage, response: ServerResponse, scope: CallerScope | null): Promise<void> => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const handler = handlerFor(parseToolsets(searchParams.get('toolset') ?? 'terminal'), scope)
    await handler(request as Parameters<typeof handler>[0], response as Parameters<typeof handler>[1])
  }
}

const limits = { maxRequestBodySize: messageBytesMax }

function endpoint(options: McpEndpointOptions, toolsets: readonly ToolsetName[]) {
  const { createServer, createWatcher, watchTools, tasks } = options
  const bus = new InMemoryServerEventBus()
  const watcher = createWatcher({
    updated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
    listChanged: () => bus.publish({ kind: 'resources_list_changed' }),
  })
  const alone = () => createServer(options.caller, toolsets, watcher)
  const modern = createMcpHandler(alone, { legacy: 'reject', bus, maxSubscriptions: subscriptionsMax, ...limits })
  const listen = listenOverHttp(modern.fetch, { tasks, watcher, bus })
  const single = legacyStatelessFallback(alone, undefined, limits)
  const sessions = new LegacySessions(options, toolsets)
  const serve: Serve = async (request) => {
    if (request.headers.get('mcp-method') === listenMethod) return listen(request)
    if (!(await isLegacyRequest(request, undefined, limits))) return modern.fetch(request)
    const session = request.headers.get('mcp-session-id')
    if (session !== null) return sessions.handle(session, request)
    if (request.method === 'POST') return (await isInitialize(request)) ? sessions.open(request) : single(request)
    return notAllowed()
  }
  const tools = watchTools(toolsets, () => bus.publish({ kind: 'tools_list_changed' }))
  const end = async () => {
    watcher.end()
    ;(await tools)()
  }
  return { serve, end: () => void end() }
}

async function isInitialize(request: Request): Promise<boolean> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.some((one) => isObject(one) && one['method'] === 'initialize')
}

function notAllowed(): Response {
  const error = 'Method not allowed: open a session first, with a POST of initialize.'
  return Response.json({ error }, { status: 405, headers: { allow: 'POST' } })
}

/** The least recently used session makes room. */
class LegacySessions {
  readonly #options: McpEndpointOptions
  readonly #toolsets: readonly ToolsetName[]
  readonly #transports = new BoundedMap<string, WebStandardStreamableHTTPServerTransport>(
    httpSessionsMax,
    (transport) => void transport.close(),
  )

  constructor(options: McpEndpointOptions, toolsets: readonly ToolsetName[]) {
    this.#options = options
    this.#toolsets = toolsets
  }

  async open(request: Request): Promise<Response> {
    const id = randomUUID()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#transports.set(id, transport),
      onsessionclosed: () => void this.#transports.delete(id),
      ...limits,
    })
    const server = await this.#serverFor(id)
    await server.connect(transport)
    return transport.handleRequest(request)
  }

  async handle(id: string, request: Request): Promise<Response> {
    const transport = this.#transports.get(id)
    if (transport === undefined) return unknownSession()
    this.#transports.set(id, transport)
    return transport.handleRequest(request)
  }

  async #serverFor(id: string): Promise<Server> {
    const { createServer, createWatcher, watchTools, connected } = this.#options
    const caller = `${this.#options.caller}-${id}`
    let server: Server | undefined
    const watcher = createWatcher({
      updated: (uri) => ignoringFailure(server?.sendResourceUpdated({ uri })),
      listChanged: () => ignoringFailure(server?.sendResourceListChanged()),
    })
    server = await createServer(caller, this.#toolsets, watcher)
    const disconnect = connected(caller)
    const stopTools = await watchTools(this.#toolsets, () => ignoringFailure(server?.sendToolListChanged()))
    server.onclose = () => {
      disconnect()
      watcher.end()
      stopTools()
    }
    return server
  }
}

/** Says that a new `initialize` is needed, as the specification requires. */
function unknownSession(): Response {
  const error = { code: -32_001, message: 'Session not found: send initialize again.' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
