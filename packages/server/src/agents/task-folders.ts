/** For each sandbox a folder that its programs can read, and nobody in another one: long instructions lie there. */

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@agentpty/protocol'

const prefix = 't-'

export class TaskFolders {
  readonly #root: string
  /** Made for a terminal that is not there yet. */
  readonly #expected = new Set<string>()

  /** `root`: a private folder. */
  constructor(root: string) {
    this.#root = root
  }

  /** For a terminal that is about to be opened. */
  make(): string {
    const folder = join(this.#root, `${prefix}${randomBytes(4).toString('hex')}`)
    makeFolder(folder)
    this.#expected.add(folder)
    return folder
  }

  /** Those of terminals that are there; the others are removed with what is in them. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of folders) this.#expected.delete(folder)
    for (const folder of this.#made()) if (!folders.has(folder) && !this.#expected.has(folder)) this.remove(folder)
  }

  remove(folder: string): void {
    this.#expected.delete(folder)
    rmSync(folder, { recursive: true, force: true })
  }

  #made(): readonly string[] {
    return readdirSync(this.#root)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(this.#root, name))
  }
}
