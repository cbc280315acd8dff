/** Puts one kept file back in its place, and keeps what is there now. It follows no link that a program has put there meanwhile. */

import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemReason } from '@agentpty/protocol'
import { isAbsent } from '../files/index.ts'
import { type KeptRecord, type RawPath, shownPath } from './undo-records.ts'

export type PutBack = 'back' | 'same' | { readonly reason: string }

interface PutBackOptions {
  /** Keeps the file at this path. */
  readonly keepCurrent: (path: Buffer, stat: Stats) => void
  /** In milliseconds since 1970. */
  readonly now: number
}

export function putBack(record: KeptRecord, options: PutBackOptions): PutBack {
  try {
    return record.how === 'folder' ? makeFolder(record) : putFileBack(record, options)
  } catch (error) {
    return { reason: systemReason(error) }
  }
}

/** Null when nothing is there. */
export function statAt(path: Buffer | string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isAbsent(error) || code === 'ENOTDIR') return null
    throw error
  }
}

/** A copy has the size and the time of what it was made of; a further name is the same file. */
export function isSame(kept: Stats, current: Stats): boolean {
  if (kept.ino === current.ino && kept.dev === current.dev) return true
  return kept.isFile() && current.isFile() && kept.size === current.size && kept.mtimeMs === current.mtimeMs
}

const bytesOf = (path: RawPath) => Buffer.from(path, 'latin1')

function makeFolder({ path, mode }: KeptRecord): PutBack {
  return inFolder(dirname(path), (folder) => {
    const target = Buffer.concat([folder, bytesOf(`/${basename(path)}`)])
    const current = statAt(target)
    if (current !== null) return current.isDirectory() ? 'same' : { reason: 'a file is there now' }
    mkdirSync(target, { mode })
    chmodSync(target, mode)
    return 'back'
  })
}

function putFileBack({ path, file, why }: KeptRecord, { keepCurrent, now }: PutBackOptions): PutBack {
  const kept = file === null ? null : statAt(file)
  if (file === null) return { reason: 'it could not be kept' }
  if (kept === null) return { reason: 'it is not kept any more' }
  return inFolder(dirname(path), (folder) => {
    const target = Buffer.concat([folder, bytesOf(`/${basename(path)}`)])
    const current = statAt(target)
    if (current?.isDirectory() === true) return { reason: 'a folder is there now' }
    if (current !== null && isSame(kept, current)) {
      rmSync(file)
      return 'same'
    }
    if (current !== null) keepCurrent(target, current)
    moveFile(file, target, kept)
    // Tools that go by times must see that it has changed. What was deleted has its own time again.
    if (why !== 'delete') lutimesSync(target, now / 1_000, now / 1_000)
    return 'back'
  })
}

/** Calls `use` with a path of the open folder, which no link leads elsewhere from. */
function inFolder(path: RawPath, use: (folder: Buffer) => PutBack): PutBack {
  const folder = bytesOf(path)
  makeWithParents(path)
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const opened = `/proc/self/fd/${descriptor}`
    if (!readlinkSync(opened, 'buffer').equals(folder)) return { reason: elsewhere(path) }
    return use(Buffer.from(opened))
  } finally {
    closeSync(descriptor)
  }
}

const elsewhere = (path: RawPath) => `${shownPath(path)} leads to another folder now`

/** Folders that are missing are made, but not where a link leads elsewhere. */
function makeWithParents(path: RawPath): void {
  const stat = statAt(bytesOf(path))
  if (stat?.isDirectory() === true) return
  if (stat !== null) throw new Error(`${shownPath(path)} is no folder now`)
  const parent = dirname(path)
  makeWithParents(parent)
  if (!realpathSync(bytesOf(parent), 'buffer').equals(bytesOf(parent))) throw new Error(elsewhere(parent))
  mkdirSync(bytesOf(path))
}

/** Across file systems as a copy. */
function moveFile(from: string, to: Buffer, stat: Stats): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const fresh = Buffer.concat([to, Buffer.from('.agentpty-undo')])
    copyWhole(from, fresh, stat)
    renameSync(fresh, to)
    rmSync(from)
  }
}

/** Gives a file a further name, or makes a copy where that is not possible. */
export function linkOrCopy(from: Buffer, to: string, stat: Stats): 'link' | 'copy' {
  try {
    linkSync(from, to)
    return 'link'
  } catch {
    // Another file system, too many names, or a file of another user: the copy says why when it cannot be made either.
    copyWhole(from, to, stat)
    return 'copy'
  }
}

function copyWhole(from: Buffer | string, to: Buffer | string, stat: Stats): void {
  if (stat.isSymbolicLink()) {
    symlinkSync(readlinkSync(from, 'buffer'), to)
    return
  }
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  if (process.geteuid?.() === 0) chownSync(to, stat.uid, stat.gid)
  chmodSync(to, stat.mode & 0o7777)
  utimesSync(to, stat.atimeMs / 1_000, stat.mtimeMs / 1_000)
}
