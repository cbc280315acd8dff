/** Removes trees that programs have filled, whatever is in them: deep paths, names that are not UTF-8, pipes, sockets, folders that are closed. */

import { basename, dirname } from 'node:path'
import { Folder, isCode } from './folder.ts'

/** The most folders open together. Deeper ones are moved up to the top first. */
const openFoldersMax = 32
/** Entries that are removed before other work of the server has its turn: about 2 ms. */
const entriesPerTurn = 400
/** Rounds over the top, each of which removes 32 levels of the deepest path: enough for any file system, and an end where a program still writes. */
const roundsMax = 100_000

/** Removes what is at the path, a path of the caller's own. Nothing happens where nothing is. Errors: those of the system. */
export async function removePath(path: string): Promise<void> {
  let parent: Folder
  try {
    parent = Folder.open(dirname(path))
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return
    throw error
  }
  try {
    await removeEntry(parent, Buffer.from(basename(path)))
  } finally {
    parent.close()
  }
}

/** Removes an entry with all that is below it. Errors: those of the system. */
export async function removeEntry(parent: Folder, name: Buffer): Promise<void> {
  const stat = parent.stat(name)
  if (stat === null) return
  if (!stat.isDirectory()) {
    parent.unlink(name)
    return
  }
  open(parent, name, stat.mode)
  const folder = parent.folder(name)
  try {
    await new Removal(folder).empty()
  } finally {
    folder.close()
  }
  parent.removeEmptyFolder(name)
}

/** Only the superuser removes entries of a folder in which its owner may not write. */
function open(parent: Folder, name: Buffer, mode: number): void {
  if (process.getuid?.() !== 0 && (mode & 0o700) !== 0o700) parent.chmod(name, 0o700)
}

class Removal {
  readonly #top: Folder
  #moved = 0
  #entries = 0

  constructor(top: Folder) {
    this.#top = top
  }

  /** Folders that were too deep have been moved to the top, so the top is read again until it is empty. */
  async empty(): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      const names = this.#top.names()
      if (names.length === 0) return
      for (const name of names) await this.#remove(this.#top, name, 1)
    }
  }

  async #remove(parent: Folder, name: Buffer, depth: number): Promise<void> {
    if (++this.#entries % entriesPerTurn === 0) await new Promise(setImmediate)
    const stat = parent.stat(name)
    if (stat === null) return
    if (!stat.isDirectory()) {
      parent.unlink(name)
      return
    }
    open(parent, name, stat.mode)
    if (depth > openFoldersMax) {
      this.#moveToTop(parent, name)
      return
    }
    const folder = parent.folder(name)
    try {
      for (const below of folder.names()) await this.#remove(folder, below, depth + 1)
    } finally {
      folder.close()
    }
    removeIfEmpty(parent, name)
  }

  #moveToTop(parent: Folder, name: Buffer): void {
    for (;;) {
      const free = Buffer.from(`.removed-${++this.#moved}`)
      if (this.#top.stat(free) !== null) continue
      parent.move(name, this.#top, free)
      return
    }
  }
}

/** A folder into which something was written meanwhile stays for the next round. */
function removeIfEmpty(parent: Folder, name: Buffer): void {
  try {
    parent.removeEmptyFolder(name)
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY')) throw error
  }
}
