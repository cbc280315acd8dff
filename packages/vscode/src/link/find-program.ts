/** Finds the program `agentpty`. The extension cannot include it, because its binary differs by machine. */

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface ProgramPlaces {
  /** The configured path; empty if not set. */
  readonly configured: string
  readonly path: string
  readonly home: string
}

/** The folders of npm and similar tools. A window started from a desktop may lack them in its PATH. */
const usualFolders = [
  '.local/bin',
  '.npm-global/bin',
  '.volta/bin',
  '.bun/bin',
  '.local/share/pnpm',
  'node_modules/.bin',
]
const systemFolders = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin']

/** Returns null if it is not found. */
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
    // Missing or not executable for this user: the next folder may have it.
    return false
  }
}
