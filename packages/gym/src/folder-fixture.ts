/** Folders for tests. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The content of files, by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

const roots: string[] = []

/** For `afterAll`. */
export function removeFolders(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
}

/** `name`: of the folder itself, which is alone in another one. */
export function folderWith(files: Files, name = 'task'): string {
  const root = mkdtempSync(join(tmpdir(), 'agentpty-gym-'))
  roots.push(root)
  const folder = join(root, name)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}
