/** Reads from the kernel whether a shell is in the foreground of its terminal. It is the only source on programs started before this window. */

import { readFileSync, readlinkSync } from 'node:fs'

/** Null if the system does not show it. */
export function isShellInFront(pid: number): boolean | null {
  try {
    return isInFront(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // Another system, or the process has just ended.
    return null
  }
}

/** Parses a line of `/proc/PID/stat`: compares its process group with the terminal's foreground group. */
export function isInFront(stat: string): boolean | null {
  // Starts after the program name, which may contain anything.
  const [, , group, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === undefined || front === undefined ? null : group === front
}

/** Returns the folder of a process; null if the system does not show it. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Another system, another user's process, or one that has just ended.
    return null
  }
}
