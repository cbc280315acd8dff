/**
 * The program: `agentpty COMMAND`. It puts the faces and the engine together; each command loads only what it needs,
 * because an agent waits while it starts.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { explainConfig } from './contracts/config.ts'
import { TermError } from './contracts/errors.ts'
import type { ClientHello, DaemonHello } from './contracts/handshake.ts'
import { resolvePaths } from './contracts/paths.ts'
import type { Toolset, ToolsetName } from './contracts/toolset.ts'
import { build, version } from './contracts/version.ts'
import { configPath, readConfigFile } from './engine/host/load-config.ts'
import { ensurePrivateFolder } from './engine/host/private-folder.ts'
import { isoTime, systemClock } from './engine/host/system-clock.ts'
import { connectDaemon, writeRefusal } from './faces/daemon/daemon-link.ts'

const userId = process.getuid?.() ?? 0
const paths = resolvePaths(process.env, userId)

function helloOf(face: ClientHello['face']): ClientHello {
  const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const client = `${face}-${process.pid}-${randomBytes(4).toString('hex')}`
  return { face, client, cwd: process.cwd(), env: Object.fromEntries(env) }
}

async function connect(hello: ClientHello, mayStart: boolean) {
  ensurePrivateFolder(paths.runFolder, userId)
  const command = [process.execPath, process.argv[1] ?? '', 'daemon']
  return connectDaemon({ paths, command, build, mayStart }, hello)
}

async function serveMcp(toolsets?: readonly ToolsetName[]): Promise<void> {
  const { McpProxy } = await import('./faces/mcp/mcp-proxy.ts')
  const hello = { ...helloOf('mcp'), ...(toolsets === undefined ? {} : { toolsets }) }
  const proxy = new McpProxy({
    input: process.stdin,
    output: process.stdout,
    connect: async () => (await connect(hello, true)).socket,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  await proxy.run()
  process.exit(0)
}

async function connectRpc({ mayStart }: { readonly mayStart: boolean }) {
  const { RpcClient } = await import('./faces/rpc/rpc-client.ts')
  return new RpcClient((await connect(helloOf('rpc'), mayStart)).socket)
}

const ownConfig = () => explainConfig(process.env, readConfigFile(configPath(paths.configFolder)))

function tellTerminal(text: string): void {
  try {
    writeFileSync('/dev/tty', text)
  } catch {
    const hint = 'Call it from a hook of a program that runs in a terminal.'
    throw new TermError('invalid_input', 'There is no terminal here to report in.', hint)
  }
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
    'tty-use': async () => (await import('./features/compat/tty-use.ts')).makeTtyUse(),
  }

  all(names: readonly ToolsetName[]): Promise<readonly Toolset[]> {
    return Promise.all(names.map((name) => this.#of(name)))
  }

  #of(name: ToolsetName): Promise<Toolset> {
    const made = this.#made.get(name) ?? this.#makers[name]()
    this.#made.set(name, made)
    return made
  }
}

/** Runs until it is stopped. False when another daemon has ptyhost: then this one is not needed. */
async function runDaemon(): Promise<boolean> {
  compileLater()
  const [{ ownHost }, { Daemon }, { RpcServer }, { LocalClient }] = await Promise.all([
    import('./index.ts'),
    import('./faces/daemon/daemon.ts'),
    import('./faces/rpc/rpc-server.ts'),
    import('./features/local-client.ts'),
  ])
  const { LineSplitter } = await import('./contracts/json-lines.ts')
  const toolsets = new Toolsets()
  ensurePrivateFolder(paths.runFolder, userId)
  const owned = await ownHost(paths, { gone: () => process.exit(1) })
  if (owned === null) return false
  const { host } = owned.engine
  const hello: DaemonHello = { version, build, pid: process.pid }
  const daemon = new Daemon({
    clock: owned.engine.clock,
    socketPath: paths.daemonSocket,
    hello,
    startedAt: isoTime(owned.engine.clock.wall()),
    counts: () => {
      const exited = host.sessions.filter(({ exit }) => exit !== null).length
      return { host: { pid: owned.hostPid }, sessions: { open: host.sessions.length - exited, exited } }
    },
    shutdown: owned.shutdown,
    ended: () => process.exit(0),
    faces: {
      rpc: (socket, caller, rest) => {
        const send = (line: string) => void (socket.destroyed || socket.write(line))
        const drained = async () => {
          if (socket.writableNeedDrain && !socket.destroyed)
            await Promise.race([once(socket, 'drain'), once(socket, 'close')])
        }
        const client = new LocalClient(owned.engine, caller)
        const server = new RpcServer({ client, control: daemon, send, drained })
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
      },
      mcp: (socket, caller, rest) => {
        const client = new LocalClient(owned.engine, caller)
        void Promise.all([
          import('./faces/mcp/mcp-server.ts'),
          import('./faces/mcp/socket-transport.ts'),
          toolsets.all(caller.toolsets ?? ['terminal']),
        ]).then(([{ serveMcp: serve }, { SocketTransport }, given]) =>
          serve(new SocketTransport(socket, rest), { version, client, caller: caller.client, toolsets: given }),
        )
      },
    },
  })
  await daemon.listen()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void daemon.stop({ all: false }))
  const { stopWhenIdle } = await import('./faces/daemon/stop-when-idle.ts')
  stopWhenIdle({
    clock: owned.engine.clock,
    isIdle: () => host.sessions.length === 0 && daemon.status().daemon.clients === 0,
    stop: () => void daemon.stop({ all: false }),
  })
  process.stdout.write('ready\n')
  // Most clients speak MCP: what that needs is loaded while they connect.
  void import('./faces/mcp/mcp-server.ts')
  return true
}

/** Errors: `limit_reached` when a daemon runs already. */
async function serve(): Promise<void> {
  if (await runDaemon()) return
  throw new TermError('limit_reached', 'A daemon runs already.', 'End it with: agentpty stop (its terminals go on)')
}

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2)
  if (command === 'daemon') {
    await runDaemon().catch((error: unknown) => {
      process.stdout.write(writeRefusal(error))
      process.exitCode = 1
    })
    return
  }
  if (command === 'mcp' && rest.length === 0) return serveMcp()
  const [{ runCli }, { endWithReader, onInterrupt, ownTerminal, print, readInput }] = await Promise.all([
    import('./faces/cli/cli.ts'),
    import('./faces/cli/own-terminal.ts'),
  ])
  endWithReader()
  process.exitCode = await runCli(process.argv.slice(2), {
    version,
    print,
    complain: (text) => void process.stderr.write(text),
    terminal: process.stdin.isTTY && process.stdout.isTTY ? ownTerminal() : null,
    onInterrupt,
    readInput,
    now: () => systemClock.now(),
    configPath: configPath(paths.configFolder),
    explainConfig: ownConfig,
    later: (ms, call) => systemClock.callAt(systemClock.now() + ms, call),
    connect: connectRpc,
    serveMcp,
    serve,
    tellTerminal,
    doctor: async ({ json }) => {
      const { runDoctor } = await import('./faces/cli/doctor.ts')
      const { hostProgram } = await import('./index.ts')
      const { doctorChecks } = await import('./faces/cli/doctor-checks.ts')
      return runDoctor({
        checks: doctorChecks({ paths, hostProgram, explainConfig: ownConfig, connect: connectRpc }),
        print: (text) => void process.stdout.write(text),
        json,
      })
    },
  })
}

await main()
