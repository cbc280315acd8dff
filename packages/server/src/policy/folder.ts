/** Where the program at work in a terminal really is: marks that say so can be printed by anybody. */

import { readlinkSync } from 'node:fs'

/** Null where the system does not tell, and for a process that has just ended. */
export function folderOfProcess(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}
