/**
 * The record that a daemon leaves for the next one: its last call, the reason for its end, and its port.
 *
 * The last call is written over the same bytes of an open file with each call. That takes a few microseconds and no
 * flush, and the kernel keeps it after a SIGKILL.
 */

import { closeSync, existsSync, openSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { type Clock, machineUnfit, makeFolder, pause, TermError } from '@agentpty/protocol'
import {
  DaemonEnd,
  type DaemonLock,
  isSameBoot,
  judgeLock,
  LastCall,
  type LockHolder,
  type LockState,
  type Paths,
  parseLock,
} from '@agentpty/protocol/home'
import { createPrivate, readPrivate, readPrivateJson, removeUnchanged, writePrivate } from '../files/index.ts'
import { isRunning } from './this-machine.ts'

const recordAdvice = 'Make it readable for yourself, or remove it.'

/** Longer than any record: an older one leaves no bytes behind it. */
const recordBytes = 160

/** Null when there is none. Errors: `machine_unfit`. */
export function readEnd(path: string): DaemonEnd | null {
  return DaemonEnd.safeParse(readPrivateJson(path, recordAdvice)).data ?? null
}

/** Errors: `machine_unfit`. */
export function writeEnd(path: string, end: DaemonEnd): void {
  writePrivate(path, `${JSON.stringify(end)}\n`)
}

/** Null when there is none. Errors: `machine_unfit`. */
export function readLastCall(path: string): LastCall | null {
  return LastCall.safeParse(readPrivateJson(path, recordAdvice)).data ?? null
}

export class LastCallFile {
  readonly #file: number
  readonly #record = Buffer.alloc(recordBytes)

  /** Errors: those of the file system. */
  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  /** Errors: those of the file system. */
  write(call: LastCall): void {
    this.#record.fill(' ')
    this.#record.write(JSON.stringify(call))
    writeSync(this.#file, this.#record, 0, recordBytes, 0)
  }

  close(): void {
    closeSync(this.#file)
  }
}

const portAdvice = 'Make it readable, or remove it: another port is served then.'

/** Browsers know the page by it, so the next daemon takes it again if it can. Null when there is none. Errors: `machine_unfit`. */
export function lastPort(path: string): number | null {
  const text = readPrivate(path, portAdvice)?.trim() ?? ''
  return /^\d{1,5}$/.test(text) ? Number(text) : null
}

/** Errors: `machine_unfit`. */
export function keepPort(path: string, port: number): void {
  if (lastPort(path) !== port) writePrivate(path, `${port}\n`)
}

// Taking and releasing the lock of a state folder.
//
// A lock is made by a link, which fails when there is one. A stale lock is moved away first, and put back if it turns
// out to be a new one. On one machine ptyhost has chosen among the daemons before: this lock decides between those that
// do not share a ptyhost, in containers, on other machines, or of another spelling of the folder.

const advice = 'Make it readable for yourself, or set AGENTPTY_HOME to another folder.'

/** A daemon that ends releases its lock within a moment: this often, and with this pause, it is asked for again. */
const attemptsMax = 60
/** A daemon touches its lock each second: for this many attempts a lock in another pid namespace is watched. */
const watchedAttempts = 40
const pauseMs = 50

/** `left`: the lock that a daemon without a record of its end has left. */
type Taken = { readonly outcome: 'taken'; readonly left: DaemonLock | null } | { readonly outcome: 'serving' }

/** Null without a lock, and for a file that names no daemon. Errors: `machine_unfit`. */
export function readLock(path: string): DaemonLock | null {
  return parseLock(readPrivate(path, advice) ?? '')
}

/** Where clients find the daemon: at the lock's socket, else where one will be; a container may have written a path not on this machine. */
export function socketOf({ lock, daemonSocket }: Pick<Paths, 'lock' | 'daemonSocket'>, here: LockHolder): string {
  const found = readLock(lock)
  return found !== null && isSameBoot(found, here) && existsSync(found.socket) ? found.socket : daemonSocket
}

/** `isTouched`: of a daemon in another pid namespace, whose process cannot be seen: its lock has changed while it was watched. */
export async function stateOf(lock: DaemonLock, here: LockHolder, isTouched = false): Promise<LockState> {
  const runs = lock.pidNamespace === here.pidNamespace ? isRunning(lock) : isTouched
  return judgeLock(lock, here, { listens: await listens(lock.socket), runs })
}

/** The time of the last touch, as a number that only its changes mean something of. */
const touchOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Moves the time on by a second, whatever a clock says: clocks of containers differ. */
function touch(path: string): void {
  try {
    const next = touchOf(path) / 1_000 + 1
    utimesSync(path, next, next)
  } catch {
    // On a disk that fails the lock counts by its socket alone.
  }
}

/** Errors: `machine_unfit` for the lock of another machine, `daemon_gone` for a daemon that cannot be reached. */
export async function takeLock(path: string, ours: DaemonLock, clock: Clock): Promise<Taken> {
  makeFolder(dirname(path))
  const first = touchOf(path)
  for (let attempt = 0; ; attempt++) {
    const text = readPrivate(path, advice)
    const found = parseLock(text ?? '')
    const state =
      found === null ? 'stale' : await stateOf(found, ours, touchOf(path) !== first || attempt < watchedAttempts)
    if (found !== null && state === 'serving') return { outcome: 'serving' }
    if (found !== null && state === 'foreign') throw heldElsewhere(path, found)
    if (found !== null && state === 'unreachable' && attempt >= attemptsMax) throw unreachable(path, found)
    if (state === 'stale') {
      if (text !== null) removeUnchanged(path, text)
      if (createPrivate(path, `${JSON.stringify(ours)}\n`)) return { outcome: 'taken', left: found }
      if (attempt >= attemptsMax) throw contended(path)
    }
    await pause(clock, pauseMs)
  }
}

function isOurs(path: string, ours: DaemonLock): boolean {
  const found = readLock(path)
  return found !== null && found.pid === ours.pid && found.startedAt === ours.startedAt && isSameBoot(found, ours)
}

/** A lock that was removed is made again. False when another daemon has it. Errors: those of the file system. */
export function keepLock(path: string, ours: DaemonLock): boolean {
  if (!existsSync(dirname(path))) return true
  if (readPrivate(path, advice) === null) createPrivate(path, `${JSON.stringify(ours)}\n`)
  if (!isOurs(path, ours)) return false
  touch(path)
  return true
}

/** Replaces our lock by another one of ours. Errors: `machine_unfit`. */
export function rewriteLock(path: string, ours: DaemonLock): void {
  writePrivate(path, `${JSON.stringify(ours)}\n`)
}

/** Removes our lock. Another daemon's lock stays. */
export function releaseLock(path: string, ours: DaemonLock): void {
  if (isOurs(path, ours)) rmSync(path, { force: true })
}

export function heldElsewhere(path: string, { machine, pid, startedAt }: DaemonLock): TermError {
  return machineUnfit(
    `A daemon of the machine ${machine.hostname} (pid ${pid}, since ${startedAt}) owns ${dirname(path)}, and this is ${hostname()}.`,
    `Run agentpty stop on ${machine.hostname}; or set AGENTPTY_HOME to a folder of this machine; or, if ${machine.hostname} is gone for good: rm ${path}`,
  )
}

export function unreachable(path: string, { pid, socket }: DaemonLock): TermError {
  return new TermError(
    'daemon_gone',
    `The daemon with pid ${pid} owns ${dirname(path)}, and its socket ${socket} cannot be reached from here.`,
    `End it (kill ${pid}; its terminals continue), or set AGENTPTY_HOME to another folder.`,
  )
}

function contended(path: string): TermError {
  return new TermError('daemon_gone', `${path} changes all the time: several daemons start.`, 'Run: agentpty doctor')
}

/** A process accepts connections there. One that is too busy to accept does, too. */
export function listens(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(!deadCodes.has(error.code ?? '')))
  })
}

const deadCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENOTSOCK', 'EINVAL', 'ELOOP'])
