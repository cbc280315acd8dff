/** The folders, names and variables that are the same in every container, for every user and machine. */

import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { invalidInput } from '@agentpty/protocol'
import type { EnvironmentSpec, Mount } from '@agentpty/protocol/gym'
import { isAtOrBelow } from '@agentpty/shell-policy'

export const hostname = 'agentpty'
export const homeInside = '/root'
export const shellInside = '/bin/bash'
/** The folder of the scripts that make shells mark their prompts. */
export const scriptsInside = '/run/agentpty/shell'

/** The system's programs, and what they need: of a machine's own things nothing. Links stay links. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr', '/opt', '/nix', '/gnu'] as const
const systemState = ['/var/lib/dpkg', '/var/games', '/var/lib/games', '/var/cache/man', '/var/lib/aspell'] as const
export interface InsideFiles {
  /** A folder with the world-readable part of /etc, and the accounts that exist inside. */
  readonly etc: string
  readonly shellScripts: string
}

/** The same in all containers of a server. Few, for each one costs the more the more there are. */
export function systemMounts({ etc, shellScripts }: InsideFiles): readonly Mount[] {
  return [
    ...systemFolders.flatMap(asOutside),
    { kind: 'read', source: etc, target: '/etc' },
    ...systemState.filter((path) => existsSync(path)).map(asItIs),
    ...['/home', '/srv', '/mnt', '/media', '/var/log', '/var/spool'].map(plainFolder),
    { kind: 'folder', target: homeInside, mode: '0700' },
    ...['/tmp', '/var/tmp', '/run', '/run/lock'].map((target): Mount => ({ kind: 'folder', target, mode: '1777' })),
    { kind: 'read', source: shellScripts, target: scriptsInside },
    ...['/logs', '/logs/agent', '/logs/verifier', '/logs/artifacts'].map(
      (target): Mount => ({ kind: 'folder', target, mode: '0777' }),
    ),
  ]
}

function asOutside(path: string): Mount[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  return stat.isSymbolicLink() ? [{ kind: 'link', source: readlinkSync(path), target: path }] : [asItIs(path)]
}

const asItIs = (path: string): Mount => ({ kind: 'read', source: path, target: path })
const plainFolder = (target: string): Mount => ({ kind: 'folder', target, mode: '0755' })

/** The path on this machine of a system folder inside. Null where it has none: what is made there is in memory. */
export function systemOf(target: string, etc: string): string | null {
  if (!['/etc', ...systemFolders].some((folder) => isAtOrBelow(target, folder)) || !existsSync(target)) return null
  return isAtOrBelow(target, '/etc') ? `${etc}${target.slice('/etc'.length)}` : target
}

/** Variables of programs inside. None is the caller's: programs see the environment alone. */
export function insideVariables(
  workdir: string,
  seed: number | null,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games',
    HOME: homeInside,
    USER: 'root',
    LOGNAME: 'root',
    SHELL: shellInside,
    PWD: workdir,
    ...sameEverywhere(seed, own),
  }
}

/** Variables that do not depend on the user or the machine. Without a container, programs see the caller's own. */
export function sameEverywhere(
  seed: number | null,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PYTHONHASHSEED: String((seed ?? 0) % 4_294_967_296),
    ...(seed === null ? {} : { AGENTPTY_SEED: String(seed) }),
    ...own,
  }
}

// The time that programs inside see: a library between them and the system moves it, for those that are linked with one.

/** Library folders of Debian, of Fedora, and of programs that a person built from source. */
function libraryPlaces(): readonly string[] {
  const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib']
  const below = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
  return [...below.map((name) => join('/usr/lib', name)), ...folders].map((at) =>
    join(at, 'faketime/libfaketimeMT.so.1'),
  )
}

/** Errors: `invalid_input` where a time is asked for and cannot be. */
export function assertClock({ clock }: Pick<EnvironmentSpec, 'clock'>): void {
  if (clock !== undefined) libraryOf()
}

function libraryOf(): string {
  const found = libraryPlaces().find((path) => existsSync(path))
  if (found !== undefined) return found
  throw invalidInput(
    'A clock that starts at another time needs libfaketime, which is not on this machine.',
    'On Debian and Ubuntu: apt-get install faketime',
  )
}

/** One wall clock for all programs, from `now` (ms) on; the monotonic one is real, as waits depend on it. Errors: {@link assertClock}. */
export function clockVariables(
  { clock, env }: Pick<EnvironmentSpec, 'clock' | 'env'>,
  now: number,
): Readonly<Record<string, string>> {
  if (clock === undefined) return {}
  const seconds = (Date.parse(clock.startAt) - now) / 1_000
  const others = env['LD_PRELOAD'] === undefined ? '' : `:${env['LD_PRELOAD']}`
  return {
    LD_PRELOAD: `${libraryOf()}${others}`,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}`,
    DONT_FAKE_MONOTONIC: '1',
    // Some programs would see other times of files than others do.
    NO_FAKE_STAT: '1',
  }
}
