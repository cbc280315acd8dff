/** Workspaces that an agent can harm. */

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Creates a checkout below the folder `parent`; its file `precious` is the one at risk. */
export function workspaceIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'work-'))
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, 'precious'), 'data\n')
  return folder
}
