/** Folders of the user's own, made when they are missing. */

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const ownerOnly = 0o700

/**
 * Makes a folder that only its user may enter, with those above it. Nothing happens when it exists.
 *
 * Errors: those of the system. Not by Node's `recursive`, which reports ENOENT for EROFS and never returns where the system itself says ENOENT.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above)
  try {
    mkdirSync(path, { mode: ownerOnly })
  } catch (error) {
    // Another process has made it at the same moment.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Missing, below a file, or not to be seen: making it says which.
    return false
  }
}
