/** Walks over trees that programs have filled. */

import type { Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Folder } from './folder.ts'
import { removeEntry } from './remove.ts'

/** Entries that are visited before other work of the server has its turn: about 2 ms. */
const entriesPerTurn = 500

export interface VisitedEntry {
  readonly parent: Folder
  readonly name: Buffer
  /** The path from the top, one character for each byte, so that names which are not UTF-8 stay distinct. The top itself is not visited. */
  readonly path: string
  readonly stat: Stats
}

/** Whether to enter a folder. Ignored for other entries. */
export type Visit = (entry: VisitedEntry) => boolean

/** Visits each entry below the folder, a folder before what is in it. Links are not followed. */
export async function walkTree(top: Folder, visit: Visit): Promise<void> {
  let visited = 0
  const walk = async (folder: Folder, before: string): Promise<void> => {
    for (const name of folder.names()) {
      const stat = folder.stat(name)
      if (stat === null) continue
      if (++visited % entriesPerTurn === 0) await new Promise(setImmediate)
      const path = before + name.toString('latin1')
      const isEntered = visit({ parent: folder, name, path, stat })
      if (!isEntered || !stat.isDirectory()) continue
      const inner = folder.closedFolder(name)
      try {
        await walk(inner, `${path}/`)
      } finally {
        inner.close()
      }
    }
  }
  await walk(top, '')
}

/** The bytes of a path of {@link VisitedEntry}. */
export const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1')

/** Opens the folder that holds an entry, by a path of {@link VisitedEntry}. No link is followed. */
function openEntry(top: Folder, path: string) {
  const names = path.split('/').map(bytesOf)
  const opened: Folder[] = []
  const close = () => {
    for (const folder of opened) folder.close()
  }
  try {
    let at = top
    for (const name of names.slice(0, -1)) {
      at = at.closedFolder(name)
      opened.push(at)
    }
    return { parent: at, name: names.at(-1) ?? Buffer.alloc(0), close }
  } catch (error) {
    close()
    throw error
  }
}

export function atPath<Result>(top: Folder, path: string, use: (parent: Folder, name: Buffer) => Result): Result {
  const { parent, name, close } = openEntry(top, path)
  try {
    return use(parent, name)
  } finally {
    close()
  }
}

export async function removeAt(top: Folder, path: string): Promise<void> {
  const { parent, name, close } = openEntry(top, path)
  try {
    await removeEntry(parent, name)
  } finally {
    close()
  }
}

/** Opens a folder by a path of the caller's own, whatever programs have forbidden on it, and closes it after `use`. */
export async function withFolder<Result>(path: string, use: (folder: Folder) => Promise<Result>): Promise<Result> {
  const parent = Folder.open(dirname(path))
  let folder: Folder | null = null
  try {
    folder = parent.closedFolder(Buffer.from(basename(path)))
    return await use(folder)
  } finally {
    folder?.close()
    parent.close()
  }
}
