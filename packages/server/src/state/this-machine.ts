/** This machine and this process, as a lock names them. */

import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import type { Clock } from '@agentpty/protocol'
import { bootAtPrefix, type LockHolder } from '@agentpty/protocol/home'
import { readIfThere } from '../files/index.ts'

const textOf = (path: string) => readIfThere(path)?.trim() ?? null

export function thisProcess(clock: Pick<Clock, 'wall'>): LockHolder {
  return {
    machine: { id: textOf('/etc/machine-id') ?? '', hostname: hostname() },
    boot: textOf('/proc/sys/kernel/random/boot_id') ?? bootTime(clock),
    pidNamespace: linkAt('/proc/self/ns/pid'),
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
  }
}

/** Systems without an id of the boot have its time. */
function bootTime(clock: Pick<Clock, 'wall'>): string {
  return `${bootAtPrefix}${Math.round(clock.wall() / 1_000 - uptime())}`
}

/** The process of this pid runs and started then. A zombie has ended. */
export function isRunning({ pid, processStart: start }: Pick<LockHolder, 'pid' | 'processStart'>): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return start === '' || processStart(pid) === start
}

/** The process exists and was stopped by a signal or a debugger. False where the system does not show it. */
export function isStopped(pid: number): boolean {
  const [state] = statFields(pid)
  return state === 'T' || state === 't'
}

/** Null for a process that has ended, and on systems without /proc. */
function processStart(pid: number): string | null {
  const fields = statFields(pid)
  return fields[0] === 'Z' ? null : (fields[startField] ?? null)
}

/** The fields of proc_pid_stat(5) from the state on; none for a process that has ended. */
function statFields(pid: number): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`)
  // The name in parentheses may hold anything; after it come the state and the numbers.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
}

/** starttime, the 22nd field of proc_pid_stat(5), counted after the name. */
const startField = 19

/** The words that a process was started with; none where they cannot be read. */
export function commandLineOf(pid: number): readonly string[] {
  return (textOf(`/proc/${pid}/cmdline`) ?? '').split('\0')
}

/** All processes; none on systems without /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    // Only Linux lists them there.
    return []
  }
}

/** The variables that a process was started with; null when they cannot be read. */
export function environmentOf(pid: number): Readonly<Record<string, string>> | null {
  const text = textOf(`/proc/${pid}/environ`)
  if (text === null) return null
  const pairs = text.split('\0').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}

export function ownerOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? null
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // A system without namespaces.
    return ''
  }
}
