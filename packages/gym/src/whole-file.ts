/** Writes a file completely or not at all: it is written next to its path, and then renamed. */

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { machineUnfit } from '@agentpty/protocol'

export interface WholeFileOptions {
  /** 0o644 by default: other users, a verifier's say, read what is written here. */
  readonly mode?: number
}

/** Writes the file, and makes its folder if needed. Errors: `machine_unfit`; then the file is unchanged. */
export function writeWhole(path: string, content: string | Uint8Array, { mode = 0o644 }: WholeFileOptions = {}): void {
  const fresh = `${path}.${process.pid}.part`
  try {
    mkdirSync(dirname(path), { recursive: true })
    // A killed process with the same number may have left the file.
    rmSync(fresh, { force: true })
    writeFileSync(fresh, content, { mode, flag: 'wx' })
    renameSync(fresh, path)
  } catch (error) {
    // Half a file on a full disk takes the room that is missing.
    if (existsSync(fresh)) rmSync(fresh)
    const what = error instanceof Error ? error.message : String(error)
    throw machineUnfit(`${path} cannot be written: ${what}.`, 'Make room on the disk, or make the folder yours.')
  }
}

/** JSON as Harbor's files have it: four blanks an indent, and a line break at the end. */
export const jsonFileText = (value: unknown): string => `${JSON.stringify(value, null, 4)}\n`
