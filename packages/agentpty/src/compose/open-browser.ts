/** Starts the browser of the person at this machine. It gets a file and no address, which all users could read in the list of processes. */

import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import type { OwnerOnly } from '@agentpty/cli'
import { systemClock } from '@agentpty/engine/system-clock'
import { build, type Clock, TermError } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import type { ClientHello } from '@agentpty/protocol/wire'
import { connectDaemon, type DaemonConnection, type DaemonLinkOptions } from '@agentpty/server/daemon'
import { ensurePrivateFolder } from '@agentpty/server/files'
import { isOwnDaemon, isRunning, isStopped, readLock, socketOf, thisProcess } from '@agentpty/server/state'

/** Some openers run until the browser ends. One that fails does so earlier than this. */
const failsWithinMs = 3_000

/** False where there is none: on a machine without a screen, or without a program that shows one, or where that program fails. */
export function openBrowser(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<boolean> {
  const program = programFor(env)
  if (program === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env: { ...env } })
    child.unref()
    const cancelTimer = clock.callAt(clock.now() + failsWithinMs, () => resolve(true))
    const settle = (isOpened: boolean) => {
      cancelTimer()
      resolve(isOpened)
    }
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
  })
}

function programFor(env: Readonly<Record<string, string | undefined>>): string | null {
  if (process.platform === 'darwin') return 'open'
  if (env['WSL_DISTRO_NAME'] !== undefined) return 'wslview'
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  return hasScreen || env['BROWSER'] !== undefined ? 'xdg-open' : null
}

/** The connection to this user's daemon, as the command line and the library open it. */
export interface ReachOptions extends Pick<DaemonLinkOptions, 'command' | 'env' | 'mayStart'> {
  readonly paths: Paths
  readonly userId: number
  readonly signal?: AbortSignal
}

/** Errors: those of `connectDaemon`; `machine_unfit` for a socket folder that other users may enter. */
export async function reachDaemon(options: ReachOptions, hello: ClientHello): Promise<DaemonConnection> {
  const { paths, userId } = options
  const here = thisProcess(systemClock)
  const locate = () => {
    const socket = socketOf(paths, here)
    ensurePrivateFolder(dirname(socket), userId)
    return socket
  }
  const isOwn: DaemonLinkOptions['isOwn'] = (of, socketPath) => isOwnDaemon(of, socketPath, { here, userId })
  const stoppedPid = () => {
    // The server of an agent waits: a person may let the daemon continue, and the agent would not ask again.
    if (hello.face === 'mcp') return null
    const lock = readLock(paths.lock)
    const isHere =
      lock !== null && lock.boot === here.boot && lock.pidNamespace === here.pidNamespace && isRunning(lock)
    return isHere && isStopped(lock.pid) ? lock.pid : null
  }
  return connectDaemon({ ...options, clock: systemClock, build, locate, isOwn, stoppedPid }, hello)
}

// Guards the instance's own files, which commands read and write without the daemon. They are the user's, and no daemon judges the callers.
// Therefore a caller with the token of a scope is refused here.

type Access = (...given: never[]) => unknown
type OwnerAccess<Files> = {
  readonly [Name in keyof Files]: Files[Name] extends Access ? OwnerOnly<Files[Name]> : never
}

/**
 * Makes each function refuse a caller that `isOwner` does not know. Errors: `denied`.
 *
 * `isOwner` is asked at each call: a token may be revoked meanwhile.
 */
export function ownerOnly<Files extends Readonly<Record<string, Access>>>(
  files: Files,
  isOwner: () => boolean,
): OwnerAccess<Files> {
  const guarded = Object.entries(files).map(([name, access]) => [
    name,
    (...given: never[]) => {
      if (!isOwner()) throw refused()
      return access(...given)
    },
  ])
  // The names and types are those of `files`; the mark has no value.
  return Object.fromEntries(guarded) as OwnerAccess<Files>
}

function refused(): TermError {
  return new TermError(
    'denied',
    'The token in AGENTPTY_TOKEN bounds this caller to its own terminals, and this command reads or writes files of the whole instance.',
    'A person does it without the token: env -u AGENTPTY_TOKEN agentpty …',
  )
}
