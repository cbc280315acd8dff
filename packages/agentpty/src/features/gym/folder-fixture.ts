/** Folders for tests, which are gone when the test is over. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** By path, what is in them. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** `name`: of the folder itself. */
export function folderWith(files: Files, name = 'task'): string {
  const root = mkdtempSync(join(tmpdir(), 'agentpty-gym-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, name)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}
