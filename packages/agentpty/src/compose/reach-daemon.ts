/** The connection to this user's daemon, as the command line and the library open it. */

import { dirname } from 'node:path'
import { systemClock } from '@agentpty/engine/host'
import { build } from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import type { ClientHello } from '@agentpty/protocol/wire'
import { connectDaemon, type DaemonConnection, type DaemonLinkOptions } from '@agentpty/server/daemon'
import { ensurePrivateFolder } from '@agentpty/server/files'
import { isOwnDaemon, isRunning, isStopped, readLock, socketOf, thisProcess } from '@agentpty/server/state'

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
