/**
 * The library: terminals for programs.
 *
 * `openSession` opens one with a server of its own that ends with it; `openTerminals` is such a server for many. `connect`
 * shares those of the daemon with agents and people, and starts it when there is none.
 *
 * @example
 * ```ts
 * await using python = await openSession({ command: ['python3', '-q'] })
 * const { output } = await python.send('6 * 7')
 * ```
 */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LiveClient } from './contracts/client.ts'
import { readConfig } from './contracts/config.ts'
import { isTermError } from './contracts/errors.ts'
import type { CallContext } from './contracts/operation.ts'
import { withoutOwnTerminal } from './contracts/own-terminal.ts'
import { type Paths, resolvePaths } from './contracts/paths.ts'
import type { TurnCosts } from './contracts/ports.ts'
import { build, version } from './contracts/version.ts'
import { claimHost } from './engine/host/claim-host.ts'
import { Host } from './engine/host/host.ts'
import { provideHostProgram } from './engine/host/host-program.ts'
import { idCounter } from './engine/host/id-counter.ts'
import { configPath, readConfigFile } from './engine/host/load-config.ts'
import { ensurePrivateFolder } from './engine/host/private-folder.ts'
import { systemClock } from './engine/host/system-clock.ts'
import { connectDaemon } from './faces/daemon/daemon-link.ts'
import { Session } from './faces/library/session.ts'
import { type OpenOptions, Terminals } from './faces/library/terminals.ts'
import { RpcClient } from './faces/rpc/rpc-client.ts'
import { LocalClient } from './features/local-client.ts'
import type { EngineContext } from './features/operations/steps/engine-context.ts'

export type { LiveClient } from './contracts/client.ts'
export type { WaitFor } from './contracts/conditions.ts'
export { type ErrorCode, isTermError, TermError } from './contracts/errors.ts'
export type { FollowOptions, Frame, SessionEvent } from './contracts/events.ts'
export type { TurnCosts } from './contracts/ports.ts'
export { probabilities, type Verdict } from './contracts/verdict.ts'
export type {
  CommandResult,
  EventOptions,
  KeysPressed,
  Observation,
  ReadOptions,
  RunOptions,
  ScreenOptions,
  ScreenView,
  SendOptions,
  TerminalEvent,
  WaitOptions,
} from './faces/library/session.ts'
export { Session } from './faces/library/session.ts'
export { type OpenOptions, type TerminalInfo, Terminals } from './faces/library/terminals.ts'

export interface Engine {
  readonly client: LiveClient
  /** What knowing whose turn it is has cost so far: looks at programs, and CPU time. */
  turnCosts(): Promise<TurnCosts>
  /** Closes every session and everything it started. */
  close(): Promise<void>
}

/** Terminals of a private server, which ends with them. Errors: `host_missing`, `host_gone`. */
export async function openTerminals(): Promise<Terminals> {
  const engine = await openEngine()
  return new Terminals(engine.client, () => engine.close())
}

/** One terminal on a private server, which ends with it. Errors: as {@link Terminals.open}; `host_missing`, `host_gone`. */
export async function openSession(options: OpenOptions = {}): Promise<Session> {
  const terminals = await openTerminals()
  try {
    const { id } = await terminals.open(options)
    return new Session(terminals.client, id, () => terminals.close())
  } catch (error) {
    await terminals.close()
    throw error
  }
}

/**
 * The terminals of this user's daemon, which agents and people share; it is started when there is none, and goes on.
 * Errors: `daemon_gone` when it does not start.
 */
export async function connect(): Promise<Terminals> {
  const userId = process.getuid?.() ?? 0
  const paths = resolvePaths(process.env, userId)
  ensurePrivateFolder(paths.runFolder, userId)
  const command = [process.execPath, packageFile('bin/agentpty.js'), 'daemon']
  const { client: name, cwd, env } = callerContext(`library-${process.pid}-${randomBytes(4).toString('hex')}`)
  const { socket } = await connectDaemon(
    { clock: systemClock, paths, command, build, mayStart: true },
    { face: 'rpc', client: name, cwd, env },
  )
  const client = new RpcClient(socket)
  return new Terminals(client, () => client.close())
}

/** Without a daemon and connections ptyhost goes soon. */
const daemonLingerMs = 10_000
const privateLingerMs = 1_000

/** Errors: `host_missing` without a ptyhost for this machine, `host_gone` when it cannot be started. */
export async function openEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-'))
  const paths = {
    hostSocket: join(folder, 'ptyhost.sock'),
    lastId: null,
    home: null,
    configFolder: null,
  }
  const owned = await ownHost(paths, { lingerMs: privateLingerMs, isPrivate: true, gone: () => undefined })
  if (owned === null) throw new Error('the private ptyhost has another owner')
  return {
    client: new LocalClient(owned.engine, privateContext()),
    turnCosts: () => owned.engine.host.turnCosts(),
    close: async () => {
      await owned.shutdown({ all: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Its terminals are not those of the daemon in one of which this program may run. */
function privateContext(): CallContext {
  const context = callerContext('library')
  return { ...context, env: withoutOwnTerminal(context.env) }
}

export interface OwnedHost {
  readonly engine: EngineContext
  readonly hostPid: number
  shutdown(options: { readonly all: boolean }): Promise<void>
}

interface HostPaths extends Pick<Paths, 'hostSocket' | 'home'> {
  /** Null: nobody comes after this engine to whom an id could be known. */
  readonly lastId: string | null
  /** Without a folder for the configuration only the environment counts. */
  readonly configFolder: string | null
}

/** The engine on a ptyhost, found or started; null when another engine owns it. */
export async function ownHost(
  paths: HostPaths,
  options: { readonly gone: () => void; readonly lingerMs?: number; readonly isPrivate?: boolean },
): Promise<OwnedHost | null> {
  const socket = paths.hostSocket
  mkdirSync(join(socket, '..'), { recursive: true, mode: 0o700 })
  const program = await hostProgram()
  const config = readConfig(
    process.env,
    paths.configFolder === null ? null : readConfigFile(configPath(paths.configFolder)),
  )
  const { lingerMs = daemonLingerMs, isPrivate = false } = options
  let isStopping = false
  const link = await claimHost({ program, socket, lingerMs, isPrivate }, systemClock, () => {
    if (!isStopping) options.gone()
  })
  if (link === null) return null
  const nextId = idCounter(paths.lastId, () => host.highestNumber)
  const host: Host = new Host({ clock: systemClock, pty: link, version, nextId, config })
  await host.restore()
  return {
    engine: { host, clock: systemClock, shellScripts: packageFile('shell-integration'), home: paths.home, config },
    hostPid: link.pid,
    shutdown: async ({ all }) => {
      isStopping = true
      // A host that is gone already has nothing left to end.
      if (all) await link.shutdown().catch(ignoreGone)
      host.dispose()
      link.disconnect()
    },
  }
}

function ignoreGone(error: unknown): void {
  if (!isTermError(error) || error.code !== 'host_gone') throw error
}

/** Who calls, when the caller is this process. */
export function callerContext(client: string): CallContext {
  const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { client, cwd: process.cwd(), env: Object.fromEntries(env) }
}

/** The ptyhost for this machine. Errors: `host_missing` when there is none and none can be built. */
export function hostProgram(): Promise<string> {
  return provideHostProgram({
    named: process.env['AGENTPTY_PTYHOST'] || undefined,
    packageFolder: packageFile('.'),
    cacheFolder: resolvePaths(process.env, process.getuid?.() ?? 0).cacheFolder,
    build,
    platform: process.platform,
    arch: process.arch,
  })
}

/** A file of the package, wherever in it this code was bundled to. */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, path)
}
