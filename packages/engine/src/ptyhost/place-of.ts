/**
 * Finds the terminal that a process runs in, from the kernel's data rather than from the process's own claim.
 *
 * Every process below a keeper is in that keeper's terminal. Other processes were started by another program, or their keeper was killed.
 * Their environment names the terminal, if it has the lineage key of an open one. Only Linux provides this.
 */

import { readFileSync } from 'node:fs'
import { lineageVariable, type SessionInfo, terminalVariable } from '@agentpty/protocol/session'

/** The data read about processes. Null: the process is gone, or belongs to another user. */
export interface ProcessTable {
  readonly parentOf: (pid: number) => number | null
  /** The environment at the start of its program. */
  readonly environmentOf: (pid: number) => Readonly<Record<string, string>> | null
}

interface Known {
  readonly hostPid: number
  readonly sessions: readonly { readonly info: Pick<SessionInfo, 'id' | 'lineageKey'> }[]
}

/** `gone`: the process has ended, and its terminal can no longer be determined. */
export type Place = { readonly terminalId: string | null } | 'gone'

/** No tree of processes is deeper; a chain that seems to be is not believed. */
const ancestorsMax = 4_096
/** Parents may end while they are read; their children then have others. */
const readingsMax = 5

export function placeOf(pid: number, { hostPid, sessions }: Known, processes: ProcessTable = procTable): Place {
  for (let reading = 0; reading < readingsMax; reading++) {
    const chain = chainFrom(pid, hostPid, processes)
    if (chain === null) continue
    const { pids, isBelowHost } = chain
    // Below ptyhost the outermost is the keeper, and what those inside it say of themselves does not count.
    for (const one of isBelowHost ? pids.toReversed() : pids) {
      const terminalId = namedBy(processes.environmentOf(one), sessions)
      if (terminalId !== null) return { terminalId }
    }
    return { terminalId: null }
  }
  return 'gone'
}

/** The process and those above it, below ptyhost if it is there. Null: one of them has ended meanwhile. */
function chainFrom(
  pid: number,
  hostPid: number,
  { parentOf }: ProcessTable,
): { readonly pids: readonly number[]; readonly isBelowHost: boolean } | null {
  const pids: number[] = []
  for (let one = pid; one > 1 && pids.length < ancestorsMax; ) {
    const parent = parentOf(one)
    if (parent === null) return null
    pids.push(one)
    if (parent === hostPid) return { pids, isBelowHost: true }
    one = parent
  }
  return { pids, isBelowHost: false }
}

function namedBy(environment: Readonly<Record<string, string>> | null, sessions: Known['sessions']): string | null {
  const key = environment?.[lineageVariable]
  if (environment == null || key === undefined || key === '') return null
  const found = sessions.find(({ info }) => info.id === environment[terminalVariable] && info.lineageKey === key)
  return found?.info.id ?? null
}

/** Returns the complete environment of the parent process, at the start of its program. Empty where it cannot be read. */
export function environmentAbove(pid: number): Readonly<Record<string, string>> {
  const parent = procTable.parentOf(pid)
  const environ = parent === null || parent <= 1 ? null : contentOf(`/proc/${parent}/environ`)
  return environ === null ? {} : variablesIn(Buffer.from(environ, 'latin1').toString('utf8').split('\0'))
}

function variablesIn(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.filter((one) => one.indexOf('=') > 0)
  return Object.fromEntries(pairs.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
}

/** The process table read from /proc. */
export const procTable: ProcessTable & { readonly stateOf: (pid: number) => string | null } = {
  parentOf: (pid) => {
    const parent = Number(statOf(pid)[1] ?? Number.NaN)
    return Number.isInteger(parent) ? parent : null
  },
  stateOf: (pid) => statOf(pid)[0] ?? null,
  environmentOf: (pid) => {
    const environ = contentOf(`/proc/${pid}/environ`)
    if (environ === null) return null
    return variablesIn(environ.split('\0').filter((one) => one.startsWith('AGENTPTY_')))
  },
}

/** Returns the fields after the process's name: its state, its parent, and more. Empty when the process has ended. */
function statOf(pid: number): readonly string[] {
  const stat = contentOf(`/proc/${pid}/stat`)
  // The name is in brackets and may contain brackets and blanks itself: the last bracket closes it.
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The process has ended, or belongs to another user.
    return null
  }
}
