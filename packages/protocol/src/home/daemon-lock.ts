/**
 * The lock of a state folder: which daemon owns it, on which machine, and where its socket is.
 *
 * A connection decides whether that daemon lives, because a pid means nothing in another container. Only a process in
 * the same pid namespace is looked up by its pid.
 */

import { isObject, parseObject } from '../wire/json-lines.ts'

/** The machine and the process that hold a lock. */
export interface LockHolder {
  /** `id`: of /etc/machine-id; empty where there is none. */
  readonly machine: { readonly id: string; readonly hostname: string }
  /** Changes with each start of the machine. */
  readonly boot: string
  /** Pids are comparable inside one namespace; empty where the system has none. */
  readonly pidNamespace: string
  readonly pid: number
  /** When the process started, in the unit of the system: it tells the process from a later one with the same pid. */
  readonly processStart: string
}

export interface DaemonLock extends LockHolder {
  readonly startedAt: string
  /** The daemon's socket. */
  readonly socket: string
  /** The socket of the ptyhost that has its terminals. */
  readonly hostSocket: string
  readonly build: string
}

/** Null for text that is no lock. Every client parses one, so no library is loaded for it. */
export function parseLock(text: string): DaemonLock | null {
  const value = parseObject(text)
  const holder = parseHolder(value)
  if (value === null || holder === null) return null
  const { startedAt, socket, hostSocket, build } = value
  if (!isText(startedAt) || !isText(socket) || !isText(hostSocket) || !isText(build)) return null
  return { ...holder, startedAt, socket, hostSocket, build }
}

/** Null for a value that names no process. */
export function parseHolder(value: unknown): LockHolder | null {
  if (!isObject(value) || !isObject(value['machine'])) return null
  const { boot, pidNamespace, pid, processStart } = value
  const { id, hostname } = value['machine']
  if (!isText(id) || !isText(hostname) || !isText(boot) || !isText(pidNamespace) || !isText(processStart)) return null
  return isPid(pid) ? { machine: { id, hostname }, boot, pidNamespace, pid, processStart } : null
}

const textCharactersMax = 1_000

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= textCharactersMax
const isPid = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Boot times that the system reports as a clock time differ by the clock's corrections. */
const bootSecondsMax = 60
export const bootAtPrefix = 'at '

/** The same start of the same machine, whatever a container calls it. */
export function isSameBoot(
  one: Pick<LockHolder, 'boot' | 'machine'>,
  other: Pick<LockHolder, 'boot' | 'machine'>,
): boolean {
  if (!one.boot.startsWith(bootAtPrefix) || !other.boot.startsWith(bootAtPrefix)) return one.boot === other.boot
  const [a, b] = [one, other].map(({ boot }) => Number(boot.slice(bootAtPrefix.length)))
  // The name of a machine without an id may change with its network.
  return one.machine.id === other.machine.id && Math.abs((a ?? 0) - (b ?? 0)) <= bootSecondsMax
}

export function isSameMachine(
  { machine: a }: Pick<LockHolder, 'machine'>,
  { machine: b }: Pick<LockHolder, 'machine'>,
): boolean {
  return a.id === b.id && a.hostname === b.hostname
}

/**
 * `stale`: to be taken over. `serving`: its daemon listens. `unreachable`: its daemon runs and listens nowhere that we
 * can reach. `foreign`: of another machine.
 */
export type LockState = 'stale' | 'serving' | 'unreachable' | 'foreign'

export interface LockFacts {
  /** A process accepts connections at the lock's socket. */
  readonly listens: boolean
  /** The process of its pid runs, and started when the lock says. In another pid namespace: it has touched its lock while that was watched. */
  readonly runs: boolean
}

export function judgeLock(lock: DaemonLock, here: LockHolder, { listens, runs }: LockFacts): LockState {
  if (!isSameBoot(lock, here)) return isSameMachine(lock, here) ? 'stale' : 'foreign'
  if (lock.pidNamespace === here.pidNamespace && lock.pid === here.pid) return 'stale'
  if (listens) return 'serving'
  return runs ? 'unreachable' : 'stale'
}
