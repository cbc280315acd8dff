/** Composes MCP in a daemon: toolsets, and what all of its clients share, over the socket and over HTTP. */

import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { homedir } from 'node:os'
import type { QueuedAgents } from '@agentpty/doors/parts'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import type { McpServerOptions, Tasks } from '@agentpty/mcp-http/mcp'
import { type Clock, type ServerClient, type Stop, version } from '@agentpty/protocol'
import { type CallContext, mcpClientName, originOf } from '@agentpty/protocol/call'
import type { ToolRules, Toolset, ToolsetName } from '@agentpty/protocol/mcp'
import type { Questions } from '@agentpty/protocol/questions'
import type { CallerScope } from '@agentpty/protocol/scope'
import type { ClientHello } from '@agentpty/protocol/wire'
import type { LineConnection } from '@agentpty/server/daemon'
import { environmentElsewhere, packageFile } from './own-host.ts'
import { makeQueue, type QueueParts } from './queued-agents.ts'

/** Makes each toolset when the first client asks for it; all clients share it. */
export class Toolsets {
  #queued: QueueParts | null = null
  #queue: Promise<QueuedAgents> | null = null
  readonly #made = new Map<ToolsetName, Promise<Toolset>>()
  readonly #makers: Readonly<Record<ToolsetName, () => Promise<Toolset>>> = {
    terminal: async () => (await import('@agentpty/mcp-http/mcp')).terminalToolset,
    agents: async () =>
      (await import('@agentpty/doors/agents')).makeAgentsToolset({
        clock: systemClock,
        isoTime,
        queue: await this.#allQueued(),
      }),
    'deep-terminal': async () => (await import('@agentpty/doors/deep-terminal')).makeDeepTerminal(),
    'terminal-agent': async () => (await import('@agentpty/doors/terminal-agent')).makeTerminalAgent(systemClock),
    terminalcp: async () => (await import('@agentpty/doors/terminalcp')).makeTerminalcp(),
    termtile: async () =>
      (await import('@agentpty/doors/termtile')).makeTermtile({
        clock: systemClock,
        isoTime,
        queue: await this.#allQueued(),
      }),
    'tty-use': async () => (await import('@agentpty/doors/tty-use')).makeTtyUse(),
  }

  /** Lets queued agents outlive this server. Without it, tools can be listed, and no agent is kept. */
  keepQueue(parts: QueueParts): void {
    this.#queued = parts
  }

  /** Continues with the agents that an earlier server left in the queue. */
  async goOn(): Promise<void> {
    if (this.#queued?.isAny() === true) await this.#allQueued()
  }

  /** The server ends. */
  async close(): Promise<void> {
    ;(await this.#queue)?.close()
  }

  #allQueued(): Promise<QueuedAgents> {
    this.#queue ??= makeQueue(this.#queued)
    return this.#queue
  }

  all(names: readonly ToolsetName[]): Promise<readonly Toolset[]> {
    return Promise.all(names.map((name) => this.of(name)))
  }

  of(name: ToolsetName): Promise<Toolset> {
    const made = this.#made.get(name) ?? this.#makers[name]()
    this.#made.set(name, made)
    return made
  }
}

type Shared = Pick<McpServerOptions, 'tasks' | 'questions' | 'pageUrl' | 'view' | 'version'>
type Route = (request: IncomingMessage, response: ServerResponse, scope: CallerScope | null) => Promise<void>

/** The modules of MCP are loaded when the first client comes. */
export interface McpFacesOptions {
  readonly clock: Clock
  readonly toolsets: Toolsets
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly toolRulesOf: (caller: CallContext) => ToolRules
  /** Returns the caller of a connection over the socket. */
  readonly callerOf: (hello: ClientHello) => CallContext
  readonly questions: Questions
  /** Called when a client connects; returns the function to call when its connection has ended. */
  readonly connected: (client: string) => Stop
}

export class McpFaces {
  readonly #options: McpFacesOptions
  #tasks: Promise<Tasks> | null = null
  #route: Promise<Route> | null = null
  #pageUrl: string | null = null

  constructor(options: McpFacesOptions) {
    this.#options = options
  }

  /** The address where a person answers questions. There is none without HTTP. */
  answeredAt(pageUrl: string): void {
    this.#pageUrl = pageUrl
  }

  /** Serves one connection; `rest` has arrived already. */
  async serve(lines: LineConnection, caller: ClientHello, rest: Buffer): Promise<void> {
    const context = this.#options.callerOf(caller)
    const [{ serveMcp, SocketTransport }, toolsets, shared] = await Promise.all([
      import('@agentpty/mcp-http/mcp'),
      this.#options.toolsets.all(caller.toolsets ?? ['terminal']),
      this.#shared(),
    ])
    const program = mcpClientName({}, false)
    lines.onGone(this.#options.connected(context.client))
    const client = this.#options.clientOf({ ...context, program, isMcp: true, room: (signal) => lines.room(signal) })
    const mayApprove = context.scope === undefined
    const transport = new SocketTransport(lines, rest)
    const rules = this.#options.toolRulesOf(context)
    const served = { ...shared, client, caller: caller.client, origin: originOf(context), toolsets, rules }
    serveMcp(transport, { ...served, mayApprove, isFar: false })
  }

  async route(request: IncomingMessage, response: ServerResponse, scope: CallerScope | null): Promise<void> {
    this.#route ??= this.#makeRoute()
    await (await this.#route)(request, response, scope)
  }

  #allTasks(): Promise<Tasks> {
    const { clock } = this.#options
    this.#tasks ??= import('@agentpty/mcp-http/mcp').then(({ Tasks }) => new Tasks({ clock, isoTime }))
    return this.#tasks
  }

  async #shared(): Promise<Shared> {
    const { questions } = this.#options
    return { version, tasks: await this.#allTasks(), questions, pageUrl: () => this.#pageUrl, view }
  }

  async #makeRoute(): Promise<Route> {
    const [{ createServer, mcpRoute, ResourceWatcher, watchListedTools }, shared] = await Promise.all([
      import('@agentpty/mcp-http/mcp'),
      this.#shared(),
    ])
    const env = environmentElsewhere()
    const { tasks } = shared
    return mcpRoute((scope) => {
      const bounds = scope === null ? {} : { scope }
      const own = scope === null ? 'http' : `http-${scope.id}`
      const program = mcpClientName({}, true)
      // Requests without a session have one name together, and no end.
      const mcp = (client: string) => (client === own ? {} : { isMcp: true as const })
      const contextFor = (client: string) => ({ client, program, cwd: homedir(), env, ...mcp(client), ...bounds })
      const clientFor = (client: string) => this.#options.clientOf(contextFor(client))
      const rulesFor = (client: string) => this.#options.toolRulesOf(contextFor(client))
      return {
        tasks,
        caller: own,
        connected: this.#options.connected,
        createServer: async (caller, names, watcher) => {
          const toolsets = await this.#options.toolsets.all(names)
          const mayApprove = scope === null
          const client = clientFor(caller)
          const rules = rulesFor(caller)
          const origin = originOf(contextFor(caller))
          const served = { ...shared, client, rules, caller, origin, toolsets, mayApprove }
          return createServer({ ...served, isFar: true }, watcher)
        },
        createWatcher: (notifiers) => new ResourceWatcher({ client: clientFor(own), ...notifiers }),
        watchTools: async (names, changed) =>
          watchListedTools({ toolsets: await this.#options.toolsets.all(names), rules: rulesFor(own) }, changed),
      }
    })
  }
}

const view = () => readFile(packageFile('dist/terminal-view.html'), 'utf8')
