import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Host, idCounter, quote } from '@agentpty/engine/host'
import { claimHost, type HostLink, provideHostProgram, type HostPaths as StartedHost } from '@agentpty/engine/ptyhost'
import { systemClock } from '@agentpty/engine/system-clock'
import { build, isTermError, makeFolder, namesIn, version } from '@agentpty/protocol'
import { adaptersIn, type Config, type Paths, readConfig, resolvePaths, treeLimitsIn } from '@agentpty/protocol/home'
import { withoutOwnTerminal } from '@agentpty/protocol/session'
import { type AgentsOptions, agentStore, makeAgents } from '@agentpty/server/agents'
import { Approvals, approvalsFile, inMemory } from '@agentpty/server/approvals'
import type { EngineContext } from '@agentpty/server/call'
import { TerminalsOverview } from '@agentpty/server/needs'
import { memoryRunStore, Runs, runStore } from '@agentpty/server/pipelines'
import { Secrets } from '@agentpty/server/secrets'
import { configPath, readConfigFile } from '@agentpty/server/state'
import { fontFiles, OpenQuestions } from '@agentpty/server/terminals'

/** The host without walls, which need the rules, and without the parts of a daemon: devices, journal, recordings. */
export type EngineWithoutWalls = Omit<
  EngineContext,
  'walls' | 'gates' | 'environments' | 'scopeNamed' | 'devices' | 'pushes' | 'journal' | 'recordings'
> & {
  readonly host: Host
  readonly approvals: Approvals
  readonly pipelines: Runs
}

export interface OwnedHost {
  readonly engine: EngineWithoutWalls
  readonly hostPid: number
  shutdown(options: { readonly all: boolean }): Promise<void>
}

interface HostPaths extends Pick<Paths, 'hostSocket' | 'home'> {
  /** Null: no later engine will use the same ids. */
  readonly lastId: string | null
  /** Null: approvals end with this engine. */
  readonly approvals: string | null
  /** Null: so do tasks and answers of agents. */
  readonly agents: string | null
  /** Null: runs of pipelines end with it. */
  readonly runs: string | null
  /** The folder of the configuration; null: only the environment counts. */
  readonly configFolder: string | null
}

export interface OwnHostOptions {
  readonly gone: () => void
  /** Gets what a run of a pipeline could not do: a defect, or a full disk. */
  readonly failed?: (error: unknown) => void
  /** Receives a report of invalid content in the files of an earlier server. */
  readonly warn?: (what: string) => void
  readonly lingerMs?: number
  readonly isPrivate?: boolean
  /** Finds or starts the ptyhost and becomes its owner, before any state is read. Default: the one at the host socket. */
  readonly claim?: (host: StartedHost, gone: () => void) => Promise<ClaimedHost | null>
}

export interface ClaimedHost {
  /** The host that has the terminals. */
  readonly link: HostLink
  /** Hosts without terminals that are owned to keep other engines out; they end with all terminals. */
  readonly others: readonly HostLink[]
}

async function claimOne(host: StartedHost, gone: () => void): Promise<ClaimedHost | null> {
  const link = await claimHost(host, systemClock, gone)
  return link && { link, others: [] }
}

/** The time (ms) that ptyhost waits for the next daemon. */
const daemonLingerMs = 10_000

/** The engine on a ptyhost, found or started; null when another engine owns it. */
export async function ownHost(paths: HostPaths, options: OwnHostOptions): Promise<OwnedHost | null> {
  const socket = paths.hostSocket
  makeFolder(join(socket, '..'))
  const program = await hostProgram()
  const config = readConfig(process.env, configOf(paths))
  const { lingerMs = daemonLingerMs, isPrivate = false, claim = claimOne } = options
  const { failed = () => {}, warn = () => {} } = options
  let isStopping = false
  const claimed = await claim({ program, socket, lingerMs, isPrivate }, () => {
    if (!isStopping) options.gone()
  })
  if (claimed === null) return null
  const { link, others } = claimed
  const nextId = idCounter(paths.lastId, () => host.highestNumber)
  const agents = makeAgents(systemClock, agentsOptions(paths, warn))
  const host: Host = new Host({
    clock: systemClock,
    pty: link,
    version,
    nextId,
    config,
    treeLimits: () => treeLimitsIn(configOf(paths)),
    tokensOf: agents.tokensOf,
  })
  await host.restore()
  const approvals = new Approvals(systemClock, paths.approvals === null ? inMemory : approvalsFile(paths.approvals))
  const questions = new OpenQuestions(systemClock)
  return {
    engine: {
      host,
      clock: systemClock,
      questions,
      approvals,
      overview: new TerminalsOverview({ clock: systemClock, host, approvals, questions, agents }),
      secrets: isPrivate ? null : knownSecrets(config),
      agents,
      pipelines: new Runs({
        clock: systemClock,
        store: paths.runs === null ? memoryRunStore() : runStore(paths.runs, warn),
        failed,
      }),
      shellScripts: packageFile('shell-integration'),
      fonts: () => fontFiles(packageFile('dist/fonts'), paths.configFolder),
      home: paths.home,
      config,
    },
    hostPid: link.pid,
    shutdown: async ({ all }) => {
      isStopping = true
      // A host that is gone has nothing left to end.
      if (all) for (const one of [link, ...others]) await one.shutdown().catch(ignoreGone)
      host.dispose()
      approvals.dispose()
      link.disconnect()
    },
  }
}

function configOf({ configFolder }: Pick<HostPaths, 'configFolder'>) {
  return configFolder === null ? null : readConfigFile(configPath(configFolder))
}

/** The file is read whenever an agent is started: settings of agents need no new daemon. */
function agentsOptions({ agents, configFolder }: HostPaths, warn: (what: string) => void): AgentsOptions {
  const adapters = () => adaptersIn(configOf({ configFolder }))
  const ownCommand = [process.execPath, packageFile('bin/agentpty.js')].map(quote).join(' ')
  return { adapters, ownCommand, ...(agents === null ? {} : { store: agentStore(agents, warn) }) }
}

function knownSecrets({ maskedVariables }: Config): Secrets {
  const secrets = new Secrets(namesIn(maskedVariables))
  secrets.learn(process.env)
  return secrets
}

function ignoreGone(error: unknown): void {
  if (!isTermError(error) || error.code !== 'host_gone') throw error
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

/** The environment for callers that are not in the terminal in which this process may have been started. */
export function environmentElsewhere(): Readonly<Record<string, string>> {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return withoutOwnTerminal(Object.fromEntries(set))
}

/** A file of the package, wherever this code was bundled to. */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, path)
}
