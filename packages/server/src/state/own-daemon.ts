/** Which daemons a client of another build may replace: those of this user, on this machine, at their own socket. */

import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isSameBoot, type LockHolder, olderRunFolders, resolvePaths } from '@agentpty/protocol/home'
import type { DaemonHello } from '@agentpty/protocol/wire'
import { commandLineOf, environmentOf, isRunning, ownerOf, processIds } from './this-machine.ts'

export interface OwnUser {
  readonly here: LockHolder
  readonly userId: number
}

export function isOwnDaemon({ owner, pid }: DaemonHello, socketPath: string, { here, userId }: OwnUser): boolean {
  if (ownerOf(socketPath) !== userId) return false
  if (owner === null) return isDaemonHere(pid, userId)
  return isSameBoot(owner.process, here) && owner.userId === userId && isSamePath(owner.socket, socketPath)
}

/** Older builds do not say where they run: the process of their pid must be this user's daemon. */
function isDaemonHere(pid: number, userId: number): boolean {
  if (process.platform !== 'linux') return isRunning({ pid, processStart: '' })
  return ownerOf(`/proc/${pid}`) === userId && isDaemonCommand(commandLineOf(pid))
}

/** `node …/agentpty.js daemon`, or `serve` by hand. */
export function isDaemonCommand(words: readonly string[]): boolean {
  const script = words.findIndex((word) => /^agentpty(\.js)?$/.test(basename(word)))
  return script >= 0 && ['daemon', 'serve'].includes(words[script + 1] ?? '')
}

/** A socket that is forwarded from elsewhere has another path, or another machine behind it. */
function isSamePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    // One of them is gone: nothing shows that they are the same.
    return false
  }
}

/** Folders with sockets of this state folder's daemons and ptyhosts, whatever variables led there; none without visible processes. */
export function runFoldersOf(stateFolder: string, userId: number): readonly string[] {
  return processIds().flatMap((pid) => {
    if (ownerOf(`/proc/${pid}`) !== userId) return []
    const words = commandLineOf(pid)
    const hostSocket = hostSocketIn(words)
    if (hostSocket === null && !isDaemonCommand(words)) return []
    const env = environmentOf(pid)
    const paths = env && resolvePaths(env, userId)
    if (env === null || paths?.stateFolder !== stateFolder) return []
    return hostSocket === null ? olderRunFolders(env, paths, userId) : [dirname(hostSocket)]
  })
}

/** Null for a process that is no ptyhost, and for a private one, which ends with its owner. */
function hostSocketIn([program = '', ...args]: readonly string[]): string | null {
  if (basename(program) !== 'ptyhost' || args.includes('--private')) return null
  const at = args.indexOf('--socket')
  return at < 0 ? null : (args[at + 1] ?? null)
}

/** Processes of this user that serve a state folder as its daemon; none on systems that do not show them. */
export function daemonsOf(stateFolder: string, userId: number): readonly number[] {
  return processIds().filter((pid) => {
    if (ownerOf(`/proc/${pid}`) !== userId || !isDaemonCommand(commandLineOf(pid))) return false
    const env = environmentOf(pid)
    return env !== null && resolvePaths(env, userId).stateFolder === stateFolder
  })
}
