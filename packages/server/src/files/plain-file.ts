import { accessSync, constants, readFileSync, statSync } from 'node:fs'

/** Null when it cannot be read, for whatever reason. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not every system has the file, and what it belongs to may have ended.
    return null
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // It does not exist or is not permitted: either way it cannot be started.
    return false
  }
}
