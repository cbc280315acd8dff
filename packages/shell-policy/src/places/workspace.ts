/** The folder that an agent in a terminal is there to work in: its git checkout, or the folder it was started in. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const levelsMax = 40

/** A home folder, and what lies above one, is no checkout even where it is under git. */
export function workspaceOf(cwd: string, home: string): string {
  let folder = cwd
  for (let level = 0; level < levelsMax && !isAbove(folder, home); level++) {
    if (existsSync(join(folder, '.git'))) return folder
    folder = dirname(folder)
  }
  return cwd
}

function isAbove(folder: string, home: string): boolean {
  return folder === '/' || folder === home || home.startsWith(`${folder}/`)
}
