/** Whether this machine can put up a sandbox: it is tried, because what forbids it is spread over many settings. */

import { execFile } from 'node:child_process'
import { wallProgram } from '@agentpty/engine/ptyhost'
import { tasksInside } from '@agentpty/protocol/sandbox'
import { isExecutable, readIfThere } from '../files/index.ts'

interface Unavailable {
  /** One line. */
  readonly what: string
  /** The next move. */
  readonly advice: string
}

/** Only where the system puts it: a program of that name elsewhere in PATH could be anybody's. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** Null when it is not installed. */
export function findBubblewrap(): string | null {
  return places.find(isExecutable) ?? null
}

const install = 'Install it: apt install bubblewrap (dnf, pacman and apk have it under the same name).'

/** Returns the missing program before anything is tried; null when none is missing. */
export function missingProgram(platform: NodeJS.Platform = process.platform): Unavailable | null {
  if (platform !== 'linux')
    return {
      what: `sandboxes need Linux; this is ${platform}`,
      advice: 'Run agentpty in a Linux virtual machine or container.',
    }
  return findBubblewrap() === null ? { what: 'bubblewrap (bwrap) is not installed', advice: install } : null
}

const tryMs = 10_000

/** Starts the smallest sandbox there is. Null when that works. */
export async function tryBubblewrap(isRoot: boolean): Promise<Unavailable | null> {
  const missing = missingProgram()
  const program = findBubblewrap()
  if (missing !== null || program === null) return missing
  const words = [...wholeSystem, ...namespaceWords({ isRoot, hasNetwork: false }), '--', 'true']
  const complaint = await new Promise<string | null>((settle) => {
    execFile(program, words, { timeout: tryMs }, (error, _out, stderr) =>
      settle(error === null ? null : stderr.trim().split('\n')[0] || error.message),
    )
  })
  return complaint === null
    ? null
    : { what: `bubblewrap cannot put up a sandbox: ${complaint}`, advice: adviceFor(complaint) }
}

/** A kernel may lack the setting. */
const settingIs = (path: string, value: string) => readIfThere(path)?.trim() === value

function adviceFor(complaint: string): string {
  if (/unknown option/i.test(complaint)) return 'It needs bubblewrap 0.8 or newer.'
  if (settingIs('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'))
    return 'AppArmor forbids user namespaces: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give /usr/bin/bwrap a profile.'
  if (settingIs('/proc/sys/kernel/unprivileged_userns_clone', '0'))
    return 'The kernel forbids user namespaces: sysctl -w kernel.unprivileged_userns_clone=1'
  if (settingIs('/proc/sys/user/max_user_namespaces', '0'))
    return 'The kernel allows no user namespaces: sysctl -w user.max_user_namespaces=15000'
  return 'In a container: start it with --security-opt seccomp=unconfined and, for /proc, --security-opt systempaths=unconfined; or leave the sandbox out and take the container for the wall.'
}

// The arguments of bubblewrap, for version 0.8 and later. Pure: the paths were inspected before.

interface Enclosure {
  readonly bubblewrap: string
  readonly isRoot: boolean
  readonly cwd: string
  /** All namespaces are its own; of the network only unless this is true. */
  readonly hasNetwork: boolean
  /** The mounts in order: a later one covers an earlier one. */
  readonly mounts: readonly Mount[]
  /** Where the folder of the proxy's socket is; null without one. */
  readonly proxyFolder: string | null
  /** The folder of tasks that its programs may read; null without one. */
  readonly taskFolder: string | null
  readonly limits: WallLimits
}

interface WallLimits {
  readonly memoryBytes: number | null
  readonly processes: number
  readonly cpuSeconds: number | null
  readonly fileBytes: number
}

export type Mount =
  /** Shares a path of outside, to write or only to read. */
  | { readonly kind: 'write' | 'read'; readonly path: string }
  /** Empty, its own, and gone with it. */
  | { readonly kind: 'private'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'no-folder'; readonly path: string }
  | { readonly kind: 'no-file'; readonly path: string; readonly empty: string }

/** Everything of outside, to be read. */
const wholeSystem = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'] as const

/** Below the private /run: what programs keep while they run, which outside is the user’s. */
export const runtimeFolder = '/run/user'
/** The same. */
const proxyInside = '/run/agentpty'

/** How the program is started; it follows after the last word. */
export function enclosingWords(enclosure: Enclosure): string[] {
  const { bubblewrap, limits, mounts, proxyFolder, taskFolder, cwd } = enclosure
  const writable = mounts.flatMap((one) => (one.kind === 'write' || one.kind === 'private' ? [one.path] : []))
  return [
    wallProgram,
    ...(limits.memoryBytes === null ? [] : ['--memory', String(limits.memoryBytes)]),
    ...['--processes', String(limits.processes), '--file-size', String(limits.fileBytes)],
    ...(limits.cpuSeconds === null ? [] : ['--cpu-seconds', String(limits.cpuSeconds)]),
    ...(proxyFolder === null ? [] : ['--relay', `${proxyInside}/proxy.sock`]),
    ...['/dev', '/proc', ...writable].flatMap((path) => ['--write', path]),
    '--',
    bubblewrap,
    ...wholeSystem,
    ...mounts.flatMap(wordsFor),
    ...(mounts.some(({ path }) => path === '/run') ? ['--perms', '0700', '--dir', runtimeFolder] : []),
    // Not before all is in its place: a mount may lie in an empty folder.
    ...['/dev', ...mounts.flatMap((one) => (one.kind === 'no-folder' ? [one.path] : []))].flatMap((path) => [
      '--remount-ro',
      path,
    ]),
    ...(proxyFolder === null ? [] : ['--ro-bind', proxyFolder, proxyInside]),
    ...(taskFolder === null ? [] : ['--ro-bind', taskFolder, tasksInside]),
    ...namespaceWords(enclosure),
    ...['--chdir', cwd],
    '--',
  ]
}

/** Root keeps its rights to other users' namespaces where it cannot have one of its own, and loses all others in both. */
function namespaceWords({ isRoot, hasNetwork }: Pick<Enclosure, 'isRoot' | 'hasNetwork'>): string[] {
  return [
    isRoot ? '--unshare-user-try' : '--unshare-user',
    ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'],
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
  ]
}

function wordsFor(mount: Mount): string[] {
  switch (mount.kind) {
    case 'write':
      return ['--bind', mount.path, mount.path]
    case 'read':
      return ['--ro-bind', mount.path, mount.path]
    case 'private':
      return ['--perms', '1777', '--size', String(mount.bytes), '--tmpfs', mount.path]
    case 'no-folder':
      return ['--perms', '0555', '--size', '4096', '--tmpfs', mount.path]
    case 'no-file':
      return ['--ro-bind', mount.empty, mount.path]
  }
}
