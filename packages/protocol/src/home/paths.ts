/**
 * Where an instance keeps its things. AGENTPTY_HOME puts all of them into one folder (two homes are two independent
 * instances); without it the XDG folders are used.
 *
 * The socket's folder follows from the state folder and the user alone. Variables that some callers have and others
 * lack (XDG_RUNTIME_DIR, TMPDIR) have no effect on it, so all callers of one state folder find the same daemon.
 */

import { createHash } from 'node:crypto'
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
  /** Replaces {@link runFolder} where the state folder's file system has no sockets; 0700. */
  readonly shortRunFolder: string
  readonly daemonSocket: string
  readonly hostSocket: string
  /** The one daemon of this state folder, and the address of its socket. */
  readonly lock: string
  /** How the previous daemon ended. */
  readonly lastEnd: string
  /** The last call of the daemon, rewritten with each call. */
  readonly lastCall: string
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
  /** The devices that get push notifications, and the key of this server for them; 0600. */
  readonly pushes: string
  /** Approvals that wait for a person; 0600. */
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
  /** The folder of files that programs have deleted or overwritten, and that can be put back; 0700. */
  readonly undo: string
}

/** The longest path of a Unix socket on Linux, with room for ".lock" after it. */
const socketPathBytesMax = 100

/** Below the user's folder. */
const xdgDefaults = { XDG_STATE_HOME: '.local/state', XDG_CONFIG_HOME: '.config', XDG_CACHE_HOME: '.cache' } as const

export function resolvePaths(env: Readonly<Record<string, string | undefined>>, userId: number): Paths {
  const home = env['AGENTPTY_HOME'] ? resolve(env['AGENTPTY_HOME']) : null
  const user = env['HOME'] || '/'
  const stateFolder = home ?? join(env['XDG_STATE_HOME'] || join(user, xdgDefaults.XDG_STATE_HOME), 'agentpty')
  const shortRunFolder = shortFolder(join(stateFolder, 'run'), userId)
  const runFolder = isShortEnough(join(stateFolder, 'run')) ? join(stateFolder, 'run') : shortRunFolder
  return {
    home,
    stateFolder,
    shortRunFolder,
    ...socketsIn(runFolder),
    cacheFolder:
      home === null
        ? join(env['XDG_CACHE_HOME'] || join(user, xdgDefaults.XDG_CACHE_HOME), 'agentpty')
        : join(home, 'cache'),
    configFolder: home ?? join(env['XDG_CONFIG_HOME'] || join(user, xdgDefaults.XDG_CONFIG_HOME), 'agentpty'),
    lock: join(stateFolder, 'daemon.lock'),
    lastEnd: join(stateFolder, 'daemon-end.json'),
    lastCall: join(stateFolder, 'last-call'),
    lastId: join(stateFolder, 'last-id'),
    log: join(stateFolder, 'daemon.log'),
    token: join(stateFolder, 'token'),
    scopes: join(stateFolder, 'scopes'),
    lastPort: join(stateFolder, 'http-port'),
    devices: join(stateFolder, 'devices.json'),
    pushes: join(stateFolder, 'push.json'),
    approvals: join(stateFolder, 'approvals.json'),
    agents: join(stateFolder, 'agents'),
    queuedAgents: join(stateFolder, 'queued-agents'),
    runs: join(stateFolder, 'runs'),
    audit: join(stateFolder, 'audit'),
    recordings: join(stateFolder, 'recordings'),
    undo: join(stateFolder, 'undo'),
  }
}

/** The variables that lead to the same instance from an environment without them; none where all is at its default. */
export function instanceVariables(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  if (env['AGENTPTY_HOME']) return { AGENTPTY_HOME: resolve(env['AGENTPTY_HOME']) }
  const user = env['HOME'] || '/'
  const set = Object.entries(xdgDefaults).flatMap(([name, usual]) => {
    const value = env[name]
    return value && resolve(value) !== join(user, usual) ? [[name, value]] : []
  })
  return Object.fromEntries(set)
}

export function socketsIn(runFolder: string): Pick<Paths, 'runFolder' | 'daemonSocket' | 'hostSocket'> {
  return {
    runFolder,
    daemonSocket: join(runFolder, 'daemon.sock'),
    hostSocket: join(runFolder, hostSocketName),
  }
}

/** Where older versions kept the sockets: below XDG_RUNTIME_DIR or TMPDIR. Remove it when these versions are no longer replaced. */
export function olderRunFolders(
  env: Readonly<Record<string, string | undefined>>,
  { home, stateFolder, runFolder }: Pick<Paths, 'home' | 'stateFolder' | 'runFolder'>,
  userId: number,
): readonly string[] {
  const runtimes = [env['XDG_RUNTIME_DIR'] || `/run/user/${userId}`, `/run/user/${userId}`]
  const wanted = home === null ? runtimes.map((folder) => join(folder, 'agentpty')) : []
  const folders = [...wanted, join(stateFolder, 'run')]
  const temporary = (env['TMPDIR'] || '/tmp').replace(/(?<=.)\/$/, '')
  const short = folders.map((folder) => (isShortEnough(folder) ? folder : shortFolder(folder, userId, temporary)))
  return [...new Set(short)].filter((folder) => folder !== runFolder)
}

const hostSocketName = 'ptyhost-1.sock'

const isShortEnough = (folder: string) => Buffer.byteLength(join(folder, hostSocketName)) <= socketPathBytesMax

/** A short folder named after a deep one. */
function shortFolder(folder: string, userId: number, temporary = '/tmp'): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(temporary.length > 40 ? '/tmp' : temporary, `agentpty-${userId}-${name}`)
}
