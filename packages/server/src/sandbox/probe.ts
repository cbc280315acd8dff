/** Whether this machine can put up a sandbox: it is tried, because what forbids it is spread over many settings. */

import { execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { namespaceWords } from './bubblewrap.ts'

export interface Unavailable {
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not for us: then the next place counts.
    return false
  }
}

const install = 'Install it: apt install bubblewrap (dnf, pacman and apk have it under the same name).'

/** What is missing before anything is tried; null when nothing is. */
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
  const words = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...namespaceWords({ isRoot, hasNetwork: false }),
    '--',
    'true',
  ]
  const complaint = await new Promise<string | null>((settle) => {
    execFile(program, words, { timeout: tryMs }, (error, _out, stderr) =>
      settle(error === null ? null : stderr.trim().split('\n')[0] || error.message),
    )
  })
  return complaint === null
    ? null
    : { what: `bubblewrap cannot put up a sandbox: ${complaint}`, advice: adviceFor(complaint) }
}

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

function settingIs(path: string, value: string): boolean {
  try {
    return readFileSync(path, 'utf8').trim() === value
  } catch {
    // This kernel does not have the setting.
    return false
  }
}
