/** Walls around programs, by bubblewrap: what must hold, where everything is, and how the program is started then. */

import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import {
  defined,
  invalidInput,
  sandboxFileBytesDefault,
  sandboxMemoryShare,
  sandboxProcessesDefault,
  sandboxSocketsMax,
  TermError,
} from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type {
  EnclosedStart,
  Sandbox,
  SandboxInForce,
  SandboxNetwork,
  SandboxPlace,
  StartToEnclose,
  Walls,
} from '@agentpty/protocol/sandbox'
import { realOf, statOf, topFolders, workspaceOf } from '@agentpty/shell-policy'
import { readIfThere } from '../files/index.ts'
import { isWorkspace, planMounts } from './plan-mounts.ts'
import { enclosingWords, findBubblewrap, missingProgram, runtimeFolder, tryBubblewrap } from './probe.ts'
import { type StatedSandbox, settleSandbox } from './settle.ts'

interface WallsOptions {
  /** Returns the settings that the user and the repositories require in these folders. */
  readonly requiredIn: (folders: readonly string[]) => readonly Sandbox[]
  /** Folders of this agentpty. */
  readonly own: readonly string[]
  readonly shellScripts: string
  /** A file with nothing in it; made when it is needed. */
  readonly emptyFile: () => string
  /** Lets programs reach these hosts through a socket: its folder, and what closes it again. */
  readonly openProxy: (hosts: readonly string[]) => Promise<{ readonly folder: string; readonly close: () => void }>
  /** A folder for what its programs are to read. */
  readonly taskFolders: { make(): string; remove(folder: string): void }
  readonly userId: number
}

export function makeWalls(options: WallsOptions): Walls {
  return {
    settle: (asked, place) => settle(options, asked, place),
    enclose: (start) => enclose(options, start),
    explainFailure: async () => {
      const problem = await tryBubblewrap(options.userId === 0)
      return problem === null ? null : `${problem.what}. ${problem.advice}`
    },
  }
}

function settle({ requiredIn }: WallsOptions, asked: Sandbox | undefined, place: SandboxPlace): SandboxInForce | null {
  const { cwd, context, inherited } = place
  const home = homeOf(context)
  const workspace = workspaceOf(cwd, home)
  const stated = (one: Sandbox): StatedSandbox[] =>
    one === false ? [] : [absolute(one === true ? {} : one, workspace, home)]
  const required = requiredIn([cwd, context.cwd]).flatMap(stated).map(withLimits)
  const settled = settleSandbox({
    asked: typeof asked === 'object' ? absolute(asked, workspace, home) : asked,
    required: inherited === null ? required : [...required, statedOf(inherited)],
  })
  return settled === null ? null : inForce(settled, workspace, home)
}

const homeOf = ({ env }: CallContext): string => env['HOME'] || homedir()

function absolute(settings: StatedSandbox, workspace: string, home: string): StatedSandbox {
  const place = (path: string) =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(workspace, path)
  const { writable, readOnly, hidden, ...others } = settings
  const places = { writable: writable?.map(place), readOnly: readOnly?.map(place), hidden: hidden?.map(place) }
  return { ...others, ...defined(places) }
}

/** Returns the settings that a terminal inside another one must keep. */
function statedOf({ network, writable, readOnly, hidden, limits }: SandboxInForce): StatedSandbox {
  const { memoryBytes, cpuSeconds, ...others } = limits
  const stated = defined({ memoryBytes: memoryBytes ?? undefined, cpuSeconds: cpuSeconds ?? undefined })
  return { network, writable, readOnly, hidden, limits: { ...others, ...stated } }
}

/** Adds the default limits to settings without limits of their own. */
function withLimits({ limits, ...settings }: StatedSandbox): StatedSandbox {
  return { ...settings, limits: { ...limitsDefault(), ...limits } }
}

const limitsDefault = () => ({
  memoryBytes: Math.floor(totalmem() * sandboxMemoryShare),
  processes: sandboxProcessesDefault,
  fileBytes: sandboxFileBytesDefault,
})

function inForce(
  { network, writable = [], readOnly = [], hidden = [], limits = {} }: StatedSandbox,
  workspace: string,
  home: string,
): SandboxInForce {
  const real = realOf(workspace) ?? workspace
  const repository = linkedRepository(real)
  const own = isWorkspace(real, realOf(home) ?? home, topFolders)
    ? [real, ...(repository === null ? [] : [repository])]
    : []
  return {
    network: (network ?? 'off') satisfies SandboxNetwork,
    writable: [...new Set([...own, ...writable])],
    readOnly: [...readOnly],
    hidden: [...hidden],
    limits: { cpuSeconds: null, ...limitsDefault(), ...defined(limits) },
    proxyFolder: null,
    taskFolder: null,
  }
}

async function enclose(options: WallsOptions, start: StartToEnclose): Promise<EnclosedStart> {
  const missing = missingProgram()
  const bubblewrap = findBubblewrap()
  if (missing !== null || bubblewrap === null)
    throw new TermError('sandbox_unavailable', `No sandbox can be put up: ${missing?.what}.`, missing?.advice ?? '')
  const { network } = start.sandbox
  assertPlaces(start.sandbox)
  const hosts = typeof network === 'string' ? null : network
  const proxy = hosts === null ? null : await options.openProxy(hosts)
  const taskFolder = options.taskFolders.make()
  const sandbox = { ...start.sandbox, proxyFolder: proxy?.folder ?? null, taskFolder }
  for (const folder of sandbox.writable) keepHooksFolder(folder)
  const mounts = planMounts(sandbox, {
    home: homeOf({ ...noContext, env: start.env }),
    isRoot: options.userId === 0,
    own: options.own,
    needed: [options.shellScripts],
    sockets: listeningSockets(),
    empty: options.emptyFile(),
  })
  const words = enclosingWords({
    bubblewrap,
    isRoot: options.userId === 0,
    cwd: realOf(start.cwd) ?? start.cwd,
    hasNetwork: network === 'on',
    mounts,
    proxyFolder: sandbox.proxyFolder,
    taskFolder,
    limits: sandbox.limits,
  })
  const env = environmentInside(start.env, { hasProxy: proxy !== null })
  const abandon = () => {
    proxy?.close()
    options.taskFolders.remove(taskFolder)
  }
  return { argv: [...words, ...start.argv], env, sandbox, abandon }
}

const noContext: CallContext = { client: '', cwd: '/', env: {} }

/** Errors: `invalid_input` for a missing path: otherwise it would go unprotected without notice. */
function assertPlaces({ writable, readOnly, hidden }: SandboxInForce): void {
  const missing = [...writable, ...readOnly, ...hidden].find((path) => realOf(path) === null)
  if (missing !== undefined)
    throw invalidInput(`The sandbox names "${missing}", which is not there.`, 'Make it first, or leave it out.')
}

/** Where there is none, one could be made inside and would run outside: git makes it for nearly every repository. */
function keepHooksFolder(workspace: string): void {
  const git = workspace.endsWith('/.git') ? workspace : join(workspace, '.git')
  if (statOf(git)?.isDirectory() !== true || statOf(join(git, 'HEAD')) === null || statOf(join(git, 'hooks')) !== null)
    return
  try {
    mkdirSync(join(git, 'hooks'), { mode: statSync(git).mode & 0o777 })
  } catch {
    // Not ours to write: then programs inside, which have no more rights, cannot make it either.
  }
}

/** Sockets of outside that listen or take messages. A folder that can only be read does not hold them: connecting is no writing. */
function listeningSockets(): string[] {
  let table: string
  try {
    table = readFileSync('/proc/net/unix', 'utf8')
  } catch {
    // A system without it: nothing is known of its sockets.
    return []
  }
  return socketsIn(table).slice(0, sandboxSocketsMax)
}

/** `Num: RefCount Protocol Flags Type St Inode Path`: listening has its flag, and what takes messages its type. */
export function socketsIn(table: string): string[] {
  const rows = table.split('\n').map((line) => /^\S+: \S+ \S+ (\S+) (\S+) \S+ +\d+ (\/.*)$/.exec(line))
  const paths = rows.flatMap((row) =>
    row !== null && (row[1] === '00010000' || row[2] === '0002') ? [row[3] ?? ''] : [],
  )
  return [...new Set(paths)]
}

/** Variables that name what is not there inside, or whom to talk to outside. */
const leadingOut =
  /^(AGENTPTY_(?!TERMINAL$|LINEAGE$|USER_ZDOTDIR$).*|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GPG_AGENT_INFO|DBUS_.*|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|XDG_SESSION_.*|SESSION_MANAGER|PULSE_.*|DOCKER_HOST|CONTAINER_HOST|TMPDIR|TMP|TEMP|VSCODE_(IPC_HOOK.*|GIT_.*)|GIT_ASKPASS|SUDO_ASKPASS|KRB5CCNAME)$/

/** The address of the relay inside: native/ptyhost/src/wall_parts.h. */
const proxyUrl = 'http://127.0.0.1:3128'
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'] as const
const ownHosts = 'localhost,127.0.0.1,::1'

export function environmentInside(
  env: Readonly<Record<string, string>>,
  { hasProxy }: { readonly hasProxy: boolean },
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !leadingOut.test(name))
  // Caches of outside can only be read, and one that can be written would be read by programs outside later.
  const caches = { XDG_CACHE_HOME: '/tmp/cache', npm_config_cache: '/tmp/cache/npm' }
  const proxy = hasProxy ? Object.fromEntries(proxyNames.map((name) => [name, proxyUrl])) : {}
  return {
    XDG_RUNTIME_DIR: runtimeFolder,
    ...caches,
    ...Object.fromEntries(kept),
    ...proxy,
    ...(hasProxy ? { NO_PROXY: ownHosts, no_proxy: ownHosts } : {}),
  }
}

const lineIn = (file: string) => readIfThere(file)?.split('\n')[0] ?? null

/** The repository into which a linked worktree writes; null without one. It must name this checkout too, so a forged `.git` fails. */
export function linkedRepository(workspace: string): string | null {
  const link = join(workspace, '.git')
  if (statOf(link)?.isFile() !== true) return null
  const folder = lineIn(link)?.replace(/^gitdir: /, '') ?? null
  const own = folder === null ? null : realOf(resolve(workspace, folder))
  if (own === null || realOf(lineIn(join(own, 'gitdir')) ?? '') !== realOf(link)) return null
  const common = realOf(resolve(own, lineIn(join(own, 'commondir')) ?? ''))
  if (common === null || dirname(dirname(own)) !== common || statOf(join(common, 'HEAD'))?.isFile() !== true)
    return null
  return common
}
