/**
 * Where an instance keeps its things. AGENTPTY_HOME puts all of them into one folder (two homes are two independent
 * instances); without it the XDG folders are used.
 */

import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Paths {
  /** AGENTPTY_HOME made absolute; null with the XDG folders. */
  readonly home: string | null
  readonly configFolder: string
  readonly stateFolder: string
  /** The folder for files that can be made again. */
  readonly cacheFolder: string
  /** Sockets; 0700. */
  readonly runFolder: string
  readonly daemonSocket: string
  readonly hostSocket: string
  readonly lastId: string
  readonly log: string
  /** The token for clients over HTTP; 0600. */
  readonly token: string
  /** The folder of the tokens of scopes; 0700, its files 0600. */
  readonly scopes: string
  /** The port that was served last. */
  readonly lastPort: string
  /** Browsers that may open the page; 0600. */
  readonly devices: string
  /** What waits for a person's answer; 0600. */
  readonly approvals: string
  /** The folder of what agents were asked and have answered; 0700, its files 0600. */
  readonly agents: string
  /** The folder of agents that wait for others; 0700, its files 0600. */
  readonly queuedAgents: string
  /** The folder of runs of pipelines; 0700, its files 0600. */
  readonly runs: string
  /** The folder of the audit journal; 0700, its files 0600. */
  readonly audit: string
  /** The folder of recordings; 0700, its files 0600. */
  readonly recordings: string
}

/** The longest path of a Unix socket on Linux, with room for ".lock" after it. */
const socketPathBytesMax = 100

export function resolvePaths(env: Readonly<Record<string, string | undefined>>, userId: number): Paths {
  const home = env['AGENTPTY_HOME'] ? resolve(env['AGENTPTY_HOME']) : null
  const user = env['HOME'] || '/'
  const stateFolder = home ?? join(env['XDG_STATE_HOME'] || join(user, '.local/state'), 'agentpty')
  const runtime = env['XDG_RUNTIME_DIR'] ? join(env['XDG_RUNTIME_DIR'], 'agentpty') : join(stateFolder, 'run')
  const runFolder = shortEnough(home === null ? runtime : join(home, 'run'), userId)
  return {
    home,
    stateFolder,
    runFolder,
    cacheFolder: home === null ? join(env['XDG_CACHE_HOME'] || join(user, '.cache'), 'agentpty') : join(home, 'cache'),
    configFolder: home ?? join(env['XDG_CONFIG_HOME'] || join(user, '.config'), 'agentpty'),
    daemonSocket: join(runFolder, 'daemon.sock'),
    hostSocket: join(runFolder, 'ptyhost-1.sock'),
    lastId: join(stateFolder, 'last-id'),
    log: join(stateFolder, 'daemon.log'),
    token: join(stateFolder, 'token'),
    scopes: join(stateFolder, 'scopes'),
    lastPort: join(stateFolder, 'http-port'),
    devices: join(stateFolder, 'devices.json'),
    approvals: join(stateFolder, 'approvals.json'),
    agents: join(stateFolder, 'agents'),
    queuedAgents: join(stateFolder, 'queued-agents'),
    runs: join(stateFolder, 'runs'),
    audit: join(stateFolder, 'audit'),
    recordings: join(stateFolder, 'recordings'),
  }
}

/** A socket's path must be short: a deep home gets a short folder of its own, named after it. */
function shortEnough(folder: string, userId: number): string {
  if (Buffer.byteLength(join(folder, 'ptyhost-1.sock')) <= socketPathBytesMax) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(tmpdir().length > 40 ? '/tmp' : tmpdir(), `agentpty-${userId}-${name}`)
}
