/** Stops and continues all processes of a terminal: those below its keeper, in any group or session. Needs /proc, so Linux only. */

import { readdirSync, readFileSync } from 'node:fs'
import { procTable } from './place-of.ts'

/** The readings after which a tree that forks as fast as it is read is given up. */
const readingsMax = 20
/** The number of processes that ptyhost ends in one call. */
const processesMax = 8_192
const keeperSearchMax = 64
/** The event-loop turns that a level gets to stop; one of them is usually enough. */
const looksMax = 1_000

/**
 * Stops or continues all of them, and resolves with how many there are. A shell that saw its job stop would take the terminal from it. So
 * children are stopped after their parents, and continued before them.
 */
export async function holdTree(programPid: number, hostPid: number, hold: 'stop' | 'continue'): Promise<number> {
  const keeper = keeperOf(programPid, hostPid)
  if (keeper === null) return 0
  if (hold === 'continue') return signalled(descendantsOf(keeper).toReversed(), 'SIGCONT')
  for (let reading = 0; reading < readingsMax; reading++) {
    if (descendantsOf(keeper).every(isHeld)) break
    await stopLevels(keeper)
  }
  return descendantsOf(keeper).length
}

async function stopLevels(root: number): Promise<void> {
  for (let level = childrenOf(root); level.length > 0; level = level.flatMap(childrenOf)) {
    signalled(
      level.filter((pid) => !isHeld(pid)),
      'SIGSTOP',
    )
    // A process that the kernel does not let go (a disk that does not answer) stops when it does.
    for (let look = 0; look < looksMax && !level.every(isHeld); look++) await new Promise(setImmediate)
  }
}

/** Null: its program has ended. */
function keeperOf(programPid: number, hostPid: number): number | null {
  let pid = programPid
  for (let step = 0; step < keeperSearchMax; step++) {
    const parent = procTable.parentOf(pid)
    if (parent === null || parent <= 1) return null
    if (parent === hostPid) return pid
    pid = parent
  }
  return null
}

/** Parents before their children. */
function descendantsOf(root: number): readonly number[] {
  const found: number[] = []
  for (let at = -1; at < found.length && found.length < processesMax; at++) found.push(...childrenOf(found[at] ?? root))
  return found
}

function childrenOf(pid: number): readonly number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) => numbersIn(readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')))
  } catch {
    // It has ended, and its children are its keeper's now: the next reading finds them there.
    return []
  }
}

const numbersIn = (text: string): number[] => text.split(' ').flatMap((word) => (word === '' ? [] : [Number(word)]))

/** Stopped, or ended. */
function isHeld(pid: number): boolean {
  const state = procTable.stateOf(pid)
  return state === null || 'TtZX'.includes(state)
}

function signalled(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): number {
  let count = 0
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
      count++
    } catch {
      // It has ended, or belongs to another user, who alone can stop it.
    }
  }
  return count
}
