/** The connection to this user's daemon, as the command line and the library open it. */

import { dirname } from 'node:path'
import type { Paths } from '../contracts/home/paths.ts'
import { build } from '../contracts/version.ts'
import type { ClientHello } from '../contracts/wire/handshake.ts'
import { systemClock } from '../engine/host/system-clock.ts'
import { connectDaemon, type DaemonConnection, type DaemonLinkOptions } from '../faces/daemon/daemon-link.ts'
import { ensurePrivateFolder } from '../server/files/index.ts'
import { isOwnDaemon, isRunning, isStopped, readLock, socketOf, thisProcess } from '../server/state/index.ts'

export interface ReachOptions extends Pick<DaemonLinkOptions, 'command' | 'mayStart'> {
  readonly paths: Paths
  readonly userId: number
  readonly signal?: AbortSignal
}

/** Errors: those of `connectDaemon`; `environment` for a socket folder that other users may enter. */
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
