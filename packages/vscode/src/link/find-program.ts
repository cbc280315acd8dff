/** Where the program `agentpty` is: an extension cannot ship it, because it has a binary for each machine. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface ProgramPlaces {
  /** Of the settings; empty when it is not set. */
  readonly configured: string
  readonly path: string
  readonly home: string
}

/** Where npm and its like put programs that a window started from a desktop may not have in its PATH. */
const usualFolders = [
  '.local/bin',
  '.npm-global/bin',
  '.volta/bin',
  '.bun/bin',
  '.local/share/pnpm',
  'node_modules/.bin',
]
const systemFolders = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin']

/** Null where it is nowhere. */
export function findProgram(places: ProgramPlaces, canRun: (file: string) => boolean = isExecutable): string | null {
  const { configured, path, home } = places
  if (configured !== '') return canRun(configured) ? configured : null
  const folders = [...path.split(delimiter), ...usualFolders.map((name) => join(home, name)), ...systemFolders]
  const files = folders.filter((folder) => folder !== '').map((folder) => join(folder, 'agentpty'))
  return files.find(canRun) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there, or not ours to run: the next place may have it.
    return false
  }
}
