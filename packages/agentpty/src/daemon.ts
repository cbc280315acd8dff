/**
 * The daemon, put together: the engine, the verbs, and every way in. A second roof beside main.ts, because a command that
 * only asks the daemon must not load it.
 */

import { once as onceEmitted } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { homedir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { DaemonControl } from './contracts/daemon.ts'
import type { ClientHello, DaemonHello } from './contracts/handshake.ts'
import { LineSplitter } from './contracts/json-lines.ts'
import type { Paths } from './contracts/paths.ts'
import type { Toolset, ToolsetName } from './contracts/toolset.ts'
import { build, version } from './contracts/version.ts'
import { httpToken } from './engine/host/http-token.ts'
import { ensurePrivateFolder } from './engine/host/private-folder.ts'
import { isoTime, systemClock } from './engine/host/system-clock.ts'
import { Daemon } from './faces/daemon/daemon.ts'
import { stopWhenIdle } from './faces/daemon/stop-when-idle.ts'
import { HttpServer, sendJson } from './faces/http/http-server.ts'
import type { Tasks } from './faces/mcp/tasks/tasks.ts'
import { RpcServer } from './faces/rpc/rpc-server.ts'
import { LocalClient } from './features/local-client.ts'
import type { EngineContext } from './features/operations/steps/engine-context.ts'
import { ownHost, packageFile } from './index.ts'

/** Runs until it is stopped. False when another daemon has ptyhost: then this one is not needed. */
export async function runDaemon(paths: Paths, userId: number): Promise<boolean> {
  compileLater()
  ensurePrivateFolder(paths.runFolder, userId)
  const owned = await ownHost(paths, { gone: () => process.exit(1) })
  if (owned === null) return false
  const { engine, hostPid } = owned
  const { clock, host } = engine
  const toolsets = new Toolsets()
  const http = await openHttp(engine, toolsets, paths)
  const hello: DaemonHello = { version, build, pid: process.pid }
  const daemon = new Daemon({
    ...{ clock, socketPath: paths.daemonSocket, hello, startedAt: isoTime(clock.wall()) },
    counts: () => {
      const exited = host.sessions.filter(({ exit }) => exit !== null).length
      const sessions = { open: host.sessions.length - exited, exited }
      return { host: { pid: hostPid }, sessions, http: http === null ? null : { url: http.url } }
    },
    shutdown: (options) => {
      http?.close()
      return owned.shutdown(options)
    },
    ended: () => process.exit(0),
    faces: {
      rpc: (socket, caller, rest) =>
        serveRpc({ socket, rest, client: new LocalClient(engine, caller), control: daemon, toolsets }),
      mcp: (socket, caller, rest) => {
        // Whoever asked sees its connection end and asks again; nobody else is harmed.
        serveMcp(socket, caller, rest, engine, toolsets).catch(() => socket.destroy())
      },
    },
  })
  await daemon.listen()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void daemon.stop({ all: false }))
  stopWhenIdle({
    clock,
    // A client that has only an address to go by could not start the next one.
    isIdle: () => host.sessions.length === 0 && daemon.status().daemon.clients === 0 && http?.wasUsed !== true,
    stop: () => void daemon.stop({ all: false }),
  })
  process.stdout.write('ready\n')
  // Most clients speak MCP: what that needs is loaded while they connect.
  void import('./faces/mcp/mcp-server.ts')
  return true
}

/**
 * The engine's functions are called often, and rarely in loops. At its own threshold V8 spends more on compiling each of
 * them well, during the first thousand calls, than they need themselves; floods, which do loop, pass three times it at once.
 */
function compileLater(): void {
  setFlagsFromString('--interrupt-budget=400000')
}

/** Each is made when the first client asks for it, and serves all of them. */
class Toolsets {
  readonly #made = new Map<ToolsetName, Promise<Toolset>>()
  readonly #makers: Readonly<Record<ToolsetName, () => Promise<Toolset>>> = {
    terminal: async () => (await import('./faces/mcp/terminal-toolset.ts')).terminalToolset,
    'deep-terminal': async () => {
      const [{ makeDeepTerminal }, { admitEveryCommand }] = await Promise.all([
        import('./features/compat/deep-terminal.ts'),
        import('./features/compat/deep-terminal/admit-command.ts'),
      ])
      return makeDeepTerminal(admitEveryCommand)
    },
    'terminal-agent': async () => (await import('./features/compat/terminal-agent.ts')).makeTerminalAgent(systemClock),
    terminalcp: async () => (await import('./features/compat/terminalcp.ts')).makeTerminalcp(),
    termtile: async () => (await import('./features/compat/termtile.ts')).makeTermtile({ clock: systemClock, isoTime }),
    'tty-use': async () => (await import('./features/compat/tty-use.ts')).makeTtyUse(),
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

interface RpcCall {
  readonly socket: Socket
  /** Has arrived already. */
  readonly rest: Buffer
  readonly client: LocalClient
  readonly control: DaemonControl
  readonly toolsets: Toolsets
}

function serveRpc({ socket, rest, client, control, toolsets }: RpcCall): void {
  const send = (line: string) => void (socket.destroyed || socket.write(line))
  const drained = async () => {
    if (socket.writableNeedDrain && !socket.destroyed)
      await Promise.race([onceEmitted(socket, 'drain'), onceEmitted(socket, 'close')])
  }
  const server = new RpcServer({ client, control, toolset: (name) => toolsets.of(name), send, drained })
  const lines = new LineSplitter()
  const receive = (bytes: Buffer) => {
    try {
      for (const line of lines.push(bytes)) server.receive(line)
    } catch {
      // Out of step with its own protocol: nothing it says after this can be trusted.
      socket.destroy()
    }
  }
  socket.on('data', receive)
  socket.on('close', () => server.close())
  receive(rest)
  socket.resume()
}

async function serveMcp(
  socket: Socket,
  caller: ClientHello,
  rest: Buffer,
  engine: EngineContext,
  toolsets: Toolsets,
): Promise<void> {
  const [{ serveMcp: serve }, { SocketTransport }, given, known] = await Promise.all([
    import('./faces/mcp/mcp-server.ts'),
    import('./faces/mcp/socket-transport.ts'),
    toolsets.all(caller.toolsets ?? ['terminal']),
    tasksOf(engine),
  ])
  const client = new LocalClient(engine, caller)
  serve(new SocketTransport(socket, rest), {
    ...{ version, client, caller: caller.client, toolsets: given, tasks: known },
    ...{ watchTerminals: (listener: () => void) => engine.host.watch(listener), view },
  })
}

/** Null when it is turned off. What MCP needs is loaded when the first client comes. */
async function openHttp(engine: EngineContext, toolsets: Toolsets, paths: Paths): Promise<HttpServer | null> {
  const { httpPort } = engine.config
  if (httpPort === null) return null
  let mcp: ReturnType<typeof loadMcpRoute> | null = null
  const health = () => ({ status: 'ok', version, uptime: process.uptime(), terminals: engine.host.sessions.length })
  const http = new HttpServer({
    port: httpPort,
    token: httpToken(paths.token),
    routes: new Map([
      [
        '/mcp',
        {
          serve: async (request, response) => {
            mcp ??= loadMcpRoute(engine, toolsets)
            await (await mcp)(request, response)
          },
        },
      ],
      ['/health', { serve: (_request, response) => sendJson(response, 200, health()), isOpen: true }],
    ]),
  })
  await http.listen()
  return http
}

async function loadMcpRoute(engine: EngineContext, toolsets: Toolsets) {
  const [{ mcpRoute }, { createServer }, { ResourceWatcher }, tasks] = await Promise.all([
    import('./faces/mcp/http-endpoint.ts'),
    import('./faces/mcp/mcp-server.ts'),
    import('./faces/mcp/resource-watcher.ts'),
    tasksOf(engine),
  ])
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const env = Object.fromEntries(set)
  const clientFor = (caller: string) => new LocalClient(engine, { client: caller, cwd: homedir(), env })
  const watchTerminals = (listener: () => void) => engine.host.watch(listener)
  return mcpRoute({
    tasks,
    createServer: async (caller, names, watcher) => {
      const client = clientFor(caller)
      const given = await toolsets.all(names)
      return createServer({ version, client, caller, toolsets: given, tasks, watchTerminals, view }, watcher)
    },
    createWatcher: (tellers) => new ResourceWatcher({ client: clientFor('http'), watchTerminals, ...tellers }),
  })
}

const view = () => readFile(packageFile('dist/terminal-view.html'), 'utf8')

let tasks: Promise<Tasks> | null = null

/** One list for all clients of this daemon, made when the first comes. */
function tasksOf({ clock }: EngineContext): Promise<Tasks> {
  tasks ??= import('./faces/mcp/tasks/tasks.ts').then(({ Tasks }) => new Tasks({ clock, isoTime }))
  return tasks
}
