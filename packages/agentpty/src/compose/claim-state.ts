/**
 * Becomes the daemon of a state folder, in this order: the ptyhost at the socket chooses among the daemons of this machine. The lock decides
 * against all others. A daemon of a version without a lock is retired, and its ptyhost is taken over with its terminals.
 */

import { existsSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { claimHost, claimRunningHost, type HostLink, type HostPaths } from '@agentpty/engine/ptyhost'
import { systemClock } from '@agentpty/engine/system-clock'
import { TermError } from '@agentpty/protocol'
import { olderRunFolders, type Paths, resolvePaths, socketsIn } from '@agentpty/protocol/home'
import { connectDaemon, retire } from '@agentpty/server/daemon'
import { publicProblem } from '@agentpty/server/files'
import { environmentOf, isOwnDaemon, listens, runFoldersOf } from '@agentpty/server/state'
import type { ClaimedHost } from './own-host.ts'
import type { StateOwner } from './state-owner.ts'

export interface ClaimOptions {
  readonly paths: Paths
  readonly userId: number
  readonly owner: StateOwner
  readonly log: (text: string) => void
}

/** Null when another daemon serves the state folder. Errors: `machine_unfit`, `daemon_gone`, `host_gone`, `version_mismatch`. */
export async function claimState(
  host: HostPaths,
  gone: () => void,
  { paths, userId, owner, log }: ClaimOptions,
): Promise<ClaimedHost | null> {
  let isUsed = true
  const beside = await claimHost(host, systemClock, () => isUsed && gone())
  if (beside === null) return null
  const isOwner = await owner.take().catch(async (error: unknown) => {
    isUsed = false
    await leave(beside)
    throw error
  })
  if (!isOwner) {
    isUsed = false
    await leave(beside)
    return null
  }
  const older = otherRunFolders(paths, userId)
  for (const folder of older) await retireOlder(socketsIn(folder).daemonSocket, { paths, userId, owner, log })
  const left = owner.leftHosts.filter((socket) => isPrivate(dirname(socket), userId))
  const sockets = new Set([...left, ...older.map((folder) => socketsIn(folder).hostSocket)])
  sockets.delete(host.socket)
  for (const socket of sockets) {
    const found = await claimLeft(socket, gone, { isKnown: left.includes(socket), paths })
    if (found === null) continue
    const { link } = found
    const hasTerminals = (await link.list()).length > 0
    if (hasTerminals && (await beside.list()).length === 0) {
      // The connection to the ptyhost beside the socket stays: it keeps other daemons out.
      log(`The terminals are those of the ptyhost at ${socket} (pid ${link.pid}), which an earlier daemon has left.`)
      owner.usesHost(socket)
      return { link, others: [beside] }
    }
    if (hasTerminals)
      log(`The ptyhost at ${socket} (pid ${link.pid}) has terminals, too. They are shown once those here have ended.`)
    found.letGo()
  }
  return { link: beside, others: [] }
}

/** A ptyhost that was started in vain does not stay. One with terminals does. */
async function leave(host: HostLink): Promise<void> {
  if ((await host.list()).length === 0) await host.shutdown().catch(() => undefined)
  host.disconnect()
}

/** Returns the folders where a daemon of another version, or its ptyhost, may listen. */
function otherRunFolders(paths: Paths, userId: number): readonly string[] {
  const byVariables = olderRunFolders(process.env, paths, userId)
  const folders = new Set([...byVariables, ...runFoldersOf(paths.stateFolder, userId)])
  folders.delete(paths.runFolder)
  return [...folders].filter((folder) => isPrivate(folder, userId))
}

interface LeftHost {
  readonly link: HostLink
  /** Ends our connection; the host continues. */
  letGo(): void
}

/** Null when none listens there, and when it belongs to another state folder. */
async function claimLeft(
  socket: string,
  gone: () => void,
  { isKnown, paths }: { readonly isKnown: boolean; readonly paths: Paths },
): Promise<LeftHost | null> {
  let isUsed = true
  const link = existsSync(socket) ? await claimRunningHost(socket, systemClock, () => isUsed && gone()) : null
  if (link === null) return null
  const letGo = () => {
    isUsed = false
    link.disconnect()
  }
  if (isKnown || isOfState(link.pid, paths)) return { link, letGo }
  letGo()
  return null
}

/** Errors: `version_mismatch` when it may not be retired. */
async function retireOlder(daemonSocket: string, { paths, userId, owner, log }: ClaimOptions): Promise<void> {
  if (!(await listens(daemonSocket))) return
  const options = { clock: systemClock, paths, command: [], build: '', mayStart: false, locate: () => daemonSocket }
  const hello = { face: 'rpc' as const, client: `daemon-${process.pid}`, cwd: '/', env: {} }
  const { socket, hello: found } = await connectDaemon(options, hello)
  if (!isOfState(found.pid, paths)) {
    socket.destroy()
    return
  }
  if (!isOwnDaemon(found, daemonSocket, { here: owner.process, userId })) {
    socket.destroy()
    throw new TermError(
      'version_mismatch',
      `A daemon of version ${found.version} (pid ${found.pid}) serves ${paths.stateFolder}, too, and is not ours to end.`,
      'End it where it runs: agentpty stop. Its terminals continue.',
    )
  }
  log(
    `The daemon of version ${found.version} at ${daemonSocket} (pid ${found.pid}) makes room. Its terminals continue.`,
  )
  await retire(socket, systemClock)
}

/** The process was started with the variables that lead to this state folder. */
function isOfState(pid: number, { stateFolder }: Paths): boolean {
  const env = environmentOf(pid)
  return env !== null && resolvePaths(env, 0).stateFolder === stateFolder
}

function isPrivate(folder: string, userId: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  return stat !== undefined && publicProblem(stat, userId) === null
}
