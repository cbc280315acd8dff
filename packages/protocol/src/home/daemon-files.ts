/**
 * The lock of a state folder: which daemon owns it, on which machine, and where its socket is.
 *
 * A connection decides whether that daemon lives, because a pid means nothing in another container. Only a process in
 * the same pid namespace is looked up by its pid.
 */

import { join } from 'node:path'
import * as z from 'zod'
import { isObject, parseObject } from '../wire/line-wire.ts'

/** The machine and the process that hold a lock. */
export interface LockHolder {
  /** `id`: of /etc/machine-id; empty where there is none. */
  readonly machine: { readonly id: string; readonly hostname: string }
  /** Changes with each start of the machine. */
  readonly boot: string
  /** Pids are comparable inside one namespace; empty where the system has none. */
  readonly pidNamespace: string
  readonly pid: number
  /** Start time of the process, in the unit of the system: distinguishes it from a later one with the same pid. */
  readonly processStart: string
}

export interface DaemonLock extends LockHolder {
  readonly startedAt: string
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

function isSameMachine(
  { machine: a }: Pick<LockHolder, 'machine'>,
  { machine: b }: Pick<LockHolder, 'machine'>,
): boolean {
  return a.id === b.id && a.hostname === b.hostname
}

/** `stale`: to be taken over. `serving`: its daemon listens. `unreachable`: its daemon runs. `foreign`: another machine's. */
export type LockState = 'stale' | 'serving' | 'unreachable' | 'foreign'

interface LockFacts {
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

// How a daemon ended, in the words of the next one.

/** Written by a daemon that ends in order. */
export const DaemonEnd = z.object({
  pid: z.number().int(),
  startedAt: z.string(),
  endedAt: z.string(),
  reason: z.string(),
  /** Nothing went wrong: it was asked to end, or was idle. */
  isOrderly: z.boolean(),
  /** The socket of the ptyhost that it left. */
  hostSocket: z.string(),
})
export type DaemonEnd = z.infer<typeof DaemonEnd>

/** The name and the time of a call, and nothing of its input. */
export const LastCall = z.object({ pid: z.number().int(), name: z.string(), at: z.string() })
export type LastCall = z.infer<typeof LastCall>

export interface PreviousEnd {
  readonly isOrderly: boolean
  readonly text: string
}

interface PreviousFacts {
  /** The lock that was left, when it was. */
  readonly left: { readonly pid: number; readonly isOtherBoot: boolean } | null
  readonly end: DaemonEnd | null
  readonly call: LastCall | null
}

/** Null when there was no daemon before. */
export function describePreviousEnd({ left, end, call }: PreviousFacts): PreviousEnd | null {
  if (left !== null && end?.pid !== left.pid) {
    const last = call?.pid === left.pid ? `its last call was ${call.name} at ${call.at}` : 'it had served no call'
    const restart = left.isOtherBoot ? ' The machine has restarted since.' : ''
    const text = `The previous daemon (pid ${left.pid}) ended without a record; ${last}.${restart}`
    return { isOrderly: false, text }
  }
  if (end === null) return null
  return {
    isOrderly: end.isOrderly,
    text: `The previous daemon (pid ${end.pid}) ended at ${end.endedAt}: ${end.reason}.`,
  }
}

/** A server, as its files describe it. */
export interface ServedAt {
  readonly port: number
  readonly pid: number
  readonly startedAt: string
  readonly version: string
}

export interface DiscoveryFile {
  readonly path: string
  readonly write: (served: ServedAt) => string
  /** The port in it; null when it has none. */
  readonly portIn: (text: string) => number | null
  /** The process that wrote it; null when it names none. */
  readonly pidIn: (text: string) => number | null
}

/** The state of one of the files. */
export interface DiscoveryState {
  readonly path: string
  /** `others`: another running server has it. */
  readonly kind: 'ours' | 'others' | 'failed'
  /** The port in it, or what went wrong. */
  readonly detail: string
}

/** Files in the home folder by which programs find MCP over HTTP, with terminal-agent's names. One server at a time has them. */
export function discoveryFiles(home: string): readonly DiscoveryFile[] {
  return [
    {
      path: join(home, '.terminal-agent-port'),
      write: ({ port }) => String(port),
      portIn: (text) => (/^\s*\d{1,5}\s*$/.test(text) ? asPort(Number(text)) : null),
      pidIn: () => null,
    },
    {
      path: join(home, '.copilot-terminal-bridge', 'server.json'),
      write: ({ port, pid, startedAt, version }) => `${JSON.stringify({ port, pid, startedAt, version }, null, 2)}\n`,
      portIn: (text) => asPort(parseObject(text)?.['port']),
      pidIn: (text) => asPid(parseObject(text)?.['pid']),
    },
  ]
}

function asPort(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : null
}

function asPid(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : null
}
