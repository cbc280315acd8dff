/** A private instance of the built product for one test: its own home and daemon, with no process left at the end. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { type Client, isTermError } from '@agentpty/protocol'
import { resolvePaths } from '@agentpty/protocol/home'
import { type ClientHello, type DaemonStatus, LineWire, WireClient } from '@agentpty/protocol/wire'
import { connectDaemon } from '@agentpty/server/daemon'
import {
  type ClientCapabilities,
  Client as ProtocolClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Finished, needsProcess, runHere } from './command-line.ts'
import { McpCaller } from './mcp-caller.ts'

export const program = resolve('packages/agentpty/bin/agentpty.js')

export type Era = 'old' | 'new'

type Environment = Readonly<Record<string, string>>

export class Instance {
  readonly home = mkdtempSync(join(tmpdir(), 'agentpty-home-'))
  readonly user = mkdtempSync(join(tmpdir(), 'agentpty-user-'))
  readonly env: Readonly<Record<string, string>>
  readonly paths
  readonly #clients: { close(): Promise<void> }[] = []
  readonly #userId: number

  /** `env`: additional variables of the person, which may override the home. `userId`: the user that runs it; another one only as root. */
  constructor(env: Environment | ((home: string) => Environment) = {}, userId = process.getuid?.() ?? 0) {
    this.#userId = userId
    writeUserFiles(this.user)
    for (const path of [this.home, this.user, ...readdirSync(this.user).map((name) => join(this.user, name))])
      chownSync(path, userId, userId)
    this.env = {
      AGENTPTY_HOME: this.home,
      HOME: this.user,
      PATH: process.env['PATH'] ?? '',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      ...(typeof env === 'function' ? env(this.home) : env),
    }
    this.paths = resolvePaths(this.env, userId)
  }

  /** Runs `agentpty ARGS` to its end; most commands in the process of the test. */
  cli(...args: readonly string[]): Promise<Finished> {
    return this.#isOwn && !needsProcess(args) ? runHere(args, this.env) : this.cliProcess(...args)
  }

  get #isOwn(): boolean {
    return this.#userId === process.getuid?.()
  }

  /** The same as a process, for tests of the command line itself. */
  cliProcess(...args: readonly string[]): Promise<Finished> {
    return run(process.execPath, [program, ...args], this.env, { userId: this.#userId })
  }

  async status(): Promise<DaemonStatus> {
    return JSON.parse((await this.cli('status', '--start', '--json')).stdout)
  }

  /** Kills the daemon without warning. Returns its process id. */
  async killDaemon(): Promise<number> {
    const { pid } = (await this.status()).daemon
    process.kill(pid, 'SIGKILL')
    return pid
  }

  /** A client on the daemon's socket, with additions to the environment and the hello. Starts a daemon if there is none. */
  async rpc(more: Readonly<Record<string, string>> = {}, hello: Partial<ClientHello> = {}): Promise<WireClient> {
    // The build under test, whichever it is.
    const options = { clock: systemClock, paths: this.paths, command: [], build: '', mayStart: false }
    const about: ClientHello = {
      face: 'rpc',
      client: `test-${this.#clients.length}`,
      cwd: this.user,
      env: { ...this.env, ...more },
      ...hello,
    }
    const { socket } = await connectDaemon(options, about).catch(async (error: unknown) => {
      if (!isTermError(error) || error.code !== 'no_daemon') throw error
      await this.status()
      return connectDaemon(options, about)
    })
    return this.#registered(new WireClient(new LineWire(socket)))
  }

  /** The environment of the programs in a terminal, which identifies a process as coming from there. */
  environmentIn(pid: number): Readonly<Record<string, string>> {
    const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((one) => one.split(/=(.*)/s, 2))
    const wanted = pairs.filter(([name]) => name === 'AGENTPTY_TERMINAL' || name === 'AGENTPTY_LINEAGE')
    return Object.fromEntries(wanted)
  }

  /** A client of a process that came from the terminal of this process and has left its tree. */
  async rpcFrom(pid: number, hello: Partial<ClientHello> = {}): Promise<WireClient> {
    await this.status()
    const path = join(this.home, `relay-${this.#clients.length}`)
    const code = `const net = require('node:net')
      net.createServer((near) => { const far = net.connect(${JSON.stringify(this.paths.daemonSocket)}); near.pipe(far).pipe(near)
        for (const one of [near, far]) one.on('error', () => process.exit()).on('close', () => process.exit()) })
        .listen(${JSON.stringify(path)}, () => console.log('listens'))`
    const env = { ...this.env, ...this.environmentIn(pid) }
    const relay = spawn(process.execPath, ['-e', code], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(relay.stdout, 'data')
    const paths = { ...this.paths, daemonSocket: path }
    const { socket } = await connectDaemon(
      { clock: systemClock, paths, command: [], build: '', mayStart: false },
      {
        face: 'rpc',
        client: `test-${this.#clients.length}`,
        cwd: this.user,
        env,
        ...hello,
      },
    )
    return this.#registered(new WireClient(new LineWire(socket)))
  }

  /** A client as an agent has it: MCP over the standard input and output of `agentpty mcp`. */
  async mcp(era: Era = 'new', entry = program, capabilities: ClientCapabilities = {}): Promise<McpCaller> {
    return this.#registered(new McpCaller(await this.#overStdio([entry, 'mcp'], era, { capabilities })))
  }

  /** The same, from a process with the environment of this process's terminal. */
  async mcpFrom(pid: number): Promise<McpCaller> {
    return this.#registered(
      new McpCaller(await this.#overStdio([program, 'mcp'], 'new', { env: this.environmentIn(pid) })),
    )
  }

  /** The same, with the token of a scope in its environment. */
  async scopedMcp(token: string, era: Era): Promise<McpCaller> {
    const env = { AGENTPTY_TOKEN: token }
    return this.#registered(new McpCaller(await this.#overStdio([program, 'mcp'], era, { env })))
  }

  /** The tools of other systems, as their users call them. */
  async door(toolset: string, era: Era = 'old'): Promise<ProtocolClient> {
    return this.#registered(await this.#overStdio([program, 'mcp', '--toolset', toolset], era))
  }

  /** A client as an agent has it over HTTP. */
  async http(era: Era = 'new', query = '', capabilities: ClientCapabilities = {}): Promise<McpCaller> {
    const { http } = await this.status()
    const url = new URL(`${http?.url}/mcp${query}`)
    const headers = { authorization: `Bearer ${await this.token()}` }
    const protocol = protocolClient(era, capabilities)
    await protocol.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
    return this.#registered(new McpCaller(protocol))
  }

  async token(): Promise<string> {
    return (await this.cli('token')).stdout.trim()
  }

  async #overStdio(
    args: readonly string[],
    era: Era,
    { capabilities = {}, env = {} }: { capabilities?: ClientCapabilities; env?: Readonly<Record<string, string>> } = {},
  ): Promise<ProtocolClient> {
    const protocol = protocolClient(era, capabilities)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...args],
      env: { ...this.env, ...env },
      cwd: this.user,
      maxBufferSize: 64 << 20,
    })
    await protocol.connect(transport)
    return protocol
  }

  /** Ends everything; returns the process ids and commands of the processes left, of which there should be none. */
  async stop(): Promise<readonly string[]> {
    for (const client of this.#clients) await client.close()
    // Without processes there is nothing to end, and the call would start a daemon. A client that has just ended may have started a further one.
    for (let round = 0; round < roundsMax && this.processes().length > 0; round++) {
      await this.#end()
      await this.#untilEnded()
    }
    const left = this.processes()
    const commands = left.map((pid) => `${pid} ${commandOf(pid)}`)
    for (const pid of left) process.kill(pid, 'SIGKILL')
    rmSync(this.home, { recursive: true, force: true })
    rmSync(this.user, { recursive: true, force: true })
    return commands
  }

  /** A daemon's helpers end a moment after it. Gives up after {@link againMs}. */
  async #untilEnded(): Promise<void> {
    const latest = performance.now() + againMs
    const isOver = () => performance.now() > latest
    for (let found = this.processes(); found.length > 0 && !isOver(); found = this.processes()) {
      const known = found
      await until(() => !known.some(isRunning) || isOver())
    }
  }

  /** A daemon that has just lost 256 clients may not know it yet, and takes no further one. */
  async #end(): Promise<void> {
    await until(async () => {
      const { code, stderr } = this.#isOwn
        ? await runHere(['stop', '--all'], this.env)
        : await this.cli('stop', '--all')
      return code === 0 || !stderr.includes('clients are connected')
    })
  }

  /** The live processes with this instance's home in their environment. */
  processes(): readonly number[] {
    return processesWith(this.#marker)
  }

  get #marker(): string {
    return `AGENTPTY_HOME=${this.home}`
  }

  #registered<Registered extends Pick<Client, 'close'>>(client: Registered): Registered {
    this.#clients.push(client)
    return client
  }
}

function protocolClient(era: Era, capabilities: ClientCapabilities): ProtocolClient {
  const about = { name: 'test', version: '1' }
  return new ProtocolClient(about, { capabilities, versionNegotiation: negotiationOf(era) })
}

const negotiationOf = (era: Era) => (era === 'old' ? { mode: 'legacy' as const } : { mode: { pin: '2026-07-28' } })

/** A prompt that is the same in every shell. */
export function writeUserFiles(user: string): void {
  writeFileSync(join(user, '.bashrc'), "PS1='$ '\n")
  writeFileSync(join(user, '.zshrc'), "PS1='%# '\n")
}

export function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { cwd = process.cwd(), userId }: { readonly cwd?: string; readonly userId?: number } = {},
): Promise<Finished> {
  // Only root can change the user.
  const ids = userId === undefined || userId === process.getuid?.() ? {} : { uid: userId, gid: userId }
  return new Promise((settle) => {
    execFile(file, [...args], { env: { ...env }, cwd, ...ids, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
      settle({ code, stdout, stderr })
    })
  })
}

/** Ignores zombies. */
export function processesWith(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker) && isRunning(pid)
      } catch {
        // Ended meanwhile, or another user's.
        return false
      }
    })
}

/** For reports on processes that should have ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return '(ended)'
  }
}

/** To look through all processes of the machine again and again would take the processor from those that end. */
export async function untilEnded(marker: string): Promise<void> {
  for (let found = processesWith(marker); found.length > 0; found = processesWith(marker)) {
    const known = found
    await until(() => !known.some(isRunning))
  }
}

/** False for a zombie. */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
  } catch {
    // It has ended.
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // No such process.
    return false
  }
}

/** A daemon that goes on for this long after it was stopped is another one. */
const againMs = 2_000
/** Each round ends what the round before has left. More rounds mean that something starts again and again, or does not end. */
const roundsMax = 8
/** Half of a test's time limit. */
const untilMs = 90_000
/** Polling without a pause would take processor time from the awaited process. */
const pollMs = 2

const pause = () => new Promise<void>((again) => void systemClock.callAt(systemClock.now() + pollMs, again))

/** Resolves once the condition is true. Errors: when the time limit is over. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const latest = performance.now() + untilMs
  while (!(await holds())) {
    if (performance.now() > latest) throw new Error(`Not within ${untilMs} ms: ${holds}`)
    await pause()
  }
}
