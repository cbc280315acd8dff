/** What bubblewrap is told, for version 0.8 and later. Pure: what is there has been looked at before. */

import { wallProgram } from '@agentpty/engine/ptyhost'
import { tasksInside } from '@agentpty/protocol/sandbox'

export interface Enclosure {
  readonly bubblewrap: string
  readonly isRoot: boolean
  readonly cwd: string
  /** All namespaces are its own; of the network only unless this is true. */
  readonly hasNetwork: boolean
  /** In this order: a later one lies over an earlier one. */
  readonly mounts: readonly Mount[]
  /** Where the folder of the proxy's socket is; null without one. */
  readonly proxyFolder: string | null
  /** What its programs are to read; null without. */
  readonly taskFolder: string | null
  readonly limits: WallLimits
}

export interface WallLimits {
  readonly memoryBytes: number | null
  readonly processes: number
  readonly cpuSeconds: number | null
  readonly fileBytes: number
}

export type Mount =
  /** As outside, to write or only to read. */
  | { readonly kind: 'write' | 'read'; readonly path: string }
  /** Empty, its own, and gone with it. */
  | { readonly kind: 'private'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'no-folder'; readonly path: string }
  | { readonly kind: 'no-file'; readonly path: string; readonly empty: string }

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
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
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
export function namespaceWords({ isRoot, hasNetwork }: Pick<Enclosure, 'isRoot' | 'hasNetwork'>): string[] {
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
