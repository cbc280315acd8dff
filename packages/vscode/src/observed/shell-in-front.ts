/** Whether a shell has its terminal to itself, as the kernel shows it: the only word on what ran there before this window looked. */

import { readFileSync, readlinkSync } from 'node:fs'

/** Null where the system does not show it. */
export function isShellInFront(pid: number): boolean | null {
  try {
    return isInFront(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // Another system, or it has just ended.
    return null
  }
}

/** By a line of `/proc/PID/stat`: its group of processes, and the one that its terminal has in front. */
export function isInFront(stat: string): boolean | null {
  // Behind the name of its program, which may hold anything.
  const [, , group, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === undefined || front === undefined ? null : group === front
}

/** Where a process is; null where the system does not show it. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Another system, another user's process, or one that has just ended.
    return null
  }
}
