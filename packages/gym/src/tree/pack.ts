/** Trees as archives: a folder of a task packed for a container, and what a container has packed written below a folder of the host. */

import { closeSync, fstatSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { invalidInput, limitReached, type TermError } from '@agentpty/protocol'
import { artifactBytesMax, folderDepthMax, folderFilesMax, uploadBytesMax } from '@agentpty/protocol/gym'
import { type ArchiveEntry, ArchiveWriter } from './archive.ts'
import { writeAll } from './copy.ts'
import { Folder, isCode, isName, kindOf } from './folder.ts'
import { resolveBelow } from './resolve.ts'

const rights = 0o777
const slash = Buffer.from('/')

/** Packs a folder, links as links; null without one. Errors: `invalid_input` for paths that lead out and odd files; `limit_reached`. */
export function packFolder(root: string, path: string): Buffer | null {
  return resolveBelow(root, path, (found) => {
    if (found.kind !== 'folder') return null
    const packer = new Packer(join(root, path))
    packer.pack(found.folder, null, 0)
    return packer.archive.end()
  })
}

class Packer {
  readonly archive = new ArchiveWriter()
  readonly #shown: string
  #entries = 0

  constructor(shown: string) {
    this.#shown = shown
  }

  pack(folder: Folder, at: Buffer | null, depth: number): void {
    for (const name of folder.names()) {
      const path = at === null ? name : Buffer.concat([at, slash, name])
      this.#checkRoom(depth)
      const stat = folder.stat(name)
      // It has gone meanwhile.
      if (stat === null) continue
      const kind = kindOf(stat)
      if (kind === 'link') this.archive.link(path, folder.readLink(name))
      else if (kind === 'file') this.#packFile(folder, name, path)
      else if (kind === 'other') throw this.#noPlainFile(path)
      else this.#packFolder(folder, name, path, depth)
    }
  }

  #packFolder(parent: Folder, name: Buffer, path: Buffer, depth: number): void {
    const folder = parent.folder(name)
    try {
      this.archive.folder(path, folder.ownStat().mode & rights)
      this.pack(folder, path, depth + 1)
    } finally {
      folder.close()
    }
  }

  #packFile(folder: Folder, name: Buffer, path: Buffer): void {
    const descriptor = folder.openFile(name)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) throw this.#noPlainFile(path)
      const content = readAtMost(descriptor, stat.size, uploadBytesMax - this.archive.bytes)
      if (content === null) throw this.#tooMuch()
      this.archive.file(path, stat.mode & rights, content)
    } finally {
      closeSync(descriptor)
    }
  }

  #checkRoom(depth: number): void {
    if (++this.#entries > folderFilesMax || depth > folderDepthMax || this.archive.bytes > uploadBytesMax)
      throw this.#tooMuch()
  }

  #tooMuch(): TermError {
    const most = `${uploadBytesMax} bytes, ${folderFilesMax} files and ${folderDepthMax} folders in each other`
    return limitReached(`${this.#shown} has more than ${most}.`, 'Leave out what is not needed.')
  }

  #noPlainFile(path: Buffer): TermError {
    const what = `${this.#shown}/${path.toString()} is no plain file.`
    return invalidInput(what, 'Take it out of the folder.')
  }
}

/** Null for more than `bytesMax`. The size is only expected: a file may grow while it is read. */
export function readAtMost(descriptor: number, sizeExpected: number, bytesMax: number): Buffer | null {
  const pieces: Buffer[] = []
  let length = 0
  for (;;) {
    const wanted = Math.min(Math.max(sizeExpected - length, 64 * 1024), bytesMax - length + 1)
    const piece = Buffer.allocUnsafe(wanted)
    const count = readSync(descriptor, piece, 0, wanted, null)
    if (count === 0) return pieces.length === 1 ? (pieces[0] ?? null) : Buffer.concat(pieces)
    pieces.push(piece.subarray(0, count))
    length += count
    if (length > bytesMax) return null
  }
}

/**
 * Writes the entries of an archive that are at or below `source` into `folder`, which exists, at or below `destination`. What is there already
 * stays. Links are neither followed nor made.
 *
 * `source`, `destination`: parts of paths; no parts for the top. `isReserved`: of a path below `folder`, which is not written. Returned are the
 * numbers of `written` files and folders, of links, devices and pipes (`notMade`), and of `failed` files: their name, depth or place did not
 * allow them, or they are beyond {@link artifactBytesMax} in all, as hard links may name one file often. Errors: those of the system.
 */
export function unpackBelow(
  entries: readonly ArchiveEntry[],
  source: readonly Buffer[],
  destination: readonly Buffer[],
  folder: string,
  isReserved: (path: readonly Buffer[]) => boolean = () => false,
) {
  const root = Folder.open(folder)
  const count = { written: 0, notMade: 0, failed: 0 }
  let room = artifactBytesMax
  const seen = new Set<string>()
  try {
    for (const entry of entries) {
      if (!source.every((part, at) => entry.path[at]?.equals(part) === true)) continue
      const path = [...destination, ...entry.path.slice(source.length)]
      // An archive of several paths contains everything below two of them twice.
      const key = Buffer.concat(path.flatMap((part) => [part, slash])).toString('latin1')
      if (seen.has(key)) continue
      seen.add(key)
      if (entry.kind !== 'file' && entry.kind !== 'folder') count.notMade++
      else if (isReserved(path) || path.length > folderDepthMax || !path.every(isName) || entry.content.length > room)
        count.failed++
      else if (!write(root, path, entry)) count.failed++
      else {
        count.written++
        room -= entry.content.length
      }
    }
  } finally {
    root.close()
  }
  return count
}

/** False where the name is taken, or what is on the way is no folder. */
function write(root: Folder, path: readonly Buffer[], entry: ArchiveEntry): boolean {
  const opened: Folder[] = []
  try {
    let at = root
    for (const name of entry.kind === 'folder' ? path : path.slice(0, -1)) {
      at = enter(at, name)
      opened.push(at)
    }
    const last = path.at(-1)
    if (entry.kind === 'folder' || last === undefined) return true
    const descriptor = at.createFile(last, 0o600 | entry.mode)
    try {
      writeAll(descriptor, entry.content)
    } finally {
      closeSync(descriptor)
    }
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ')) return false
    throw error
  } finally {
    for (const one of opened) one.close()
  }
}

function enter(parent: Folder, name: Buffer): Folder {
  try {
    return parent.makeFolder(name, 0o755)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    return parent.folder(name)
  }
}
