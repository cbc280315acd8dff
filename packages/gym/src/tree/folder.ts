/**
 * A folder that another party has filled, opened once and used by its descriptor.
 *
 * Each operation takes one name in the folder, and no operation follows a link. So nothing in the folder can lead a read, a write or a
 * removal out of it, also while it is being changed. Names are bytes: on Linux a name may be anything but `/` and NUL. Paths are walked name by
 * name, so their length has no bound.
 *
 * Linux resolves `/proc/self/fd/N/NAME` to NAME in the folder that descriptor N has open, which is what `openat` does.
 */

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { machineUnfit } from '@agentpty/protocol'

export type EntryKind = 'file' | 'folder' | 'link' | 'other'

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY
/** Opens the entry itself, for its mode and owner alone. Node has no name for it. */
const openPath = 0o10000000
const createFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** Flags that open without waiting for the other end of a pipe. */
const readFile = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const slash = 0x2f

export class Folder {
  readonly descriptor: number
  readonly #prefix: Buffer

  private constructor(descriptor: number) {
    this.descriptor = descriptor
    this.#prefix = Buffer.from(`/proc/self/fd/${descriptor}/`)
  }

  /** Opens a folder by a path of the caller's own, on which links are followed. Errors: those of the system; `machine_unfit` without /proc. */
  static open(path: string): Folder {
    const folder = new Folder(openSync(path, openFolder))
    try {
      lstatSync(folder.#prefix)
      return folder
    } catch {
      folder.close()
      throw machineUnfit(
        'Folders of tasks and environments need Linux with /proc, which this machine does not have.',
        'Use them on Linux.',
      )
    }
  }

  close(): void {
    closeSync(this.descriptor)
  }

  /** Names in the folder, in no order. */
  names(): readonly Buffer[] {
    return readdirSync(this.#prefix, { encoding: 'buffer' })
  }

  /** Null for a name that does not exist. */
  stat(name: Buffer): Stats | null {
    return lstatSync(this.#at(name), { throwIfNoEntry: false }) ?? null
  }

  ownStat(): Stats {
    return fstatSync(this.descriptor)
  }

  changeOwnMode(mode: number): void {
    fchmodSync(this.descriptor, mode)
  }

  /** Times in seconds. */
  setOwnTimes(accessed: number, modified: number): void {
    futimesSync(this.descriptor, accessed, modified)
  }

  /** Opens a folder in this one. Errors: those of the system, ENOTDIR for a link. */
  folder(name: Buffer): Folder {
    return new Folder(openSync(this.#at(name), openFolder | constants.O_NOFOLLOW))
  }

  /** Opens a folder in this one, whatever its owner has forbidden, where the caller is the owner. */
  closedFolder(name: Buffer): Folder {
    try {
      return this.folder(name)
    } catch (error) {
      if (!isCode(error, 'EACCES')) throw error
      this.chmod(name, 0o700)
      return this.folder(name)
    }
  }

  /** Makes a folder. Errors: EEXIST for any name that exists, a link as well. */
  makeFolder(name: Buffer, mode: number): Folder {
    mkdirSync(this.#at(name), { mode })
    return this.folder(name)
  }

  /** A descriptor for reading, which the caller closes. Errors: ELOOP for a link. */
  openFile(name: Buffer): number {
    return openSync(this.#at(name), readFile)
  }

  /** A descriptor for writing a new file, which the caller closes. Errors: EEXIST for any name that exists, a link as well. */
  createFile(name: Buffer, mode: number): number {
    const descriptor = openSync(this.#at(name), createFile, 0o600)
    // Not by open: the mode would lose the bits of the process's umask.
    fchmodSync(descriptor, mode)
    return descriptor
  }

  readLink(name: Buffer): Buffer {
    return readlinkSync(this.#at(name), { encoding: 'buffer' })
  }

  makeLink(name: Buffer, target: Buffer): void {
    symlinkSync(target, this.#at(name))
  }

  /** Sets the mode of a file or a folder. Errors: those of the system for a link, which has none. */
  chmod(name: Buffer, mode: number): void {
    const descriptor = openSync(this.#at(name), openPath | constants.O_NOFOLLOW)
    try {
      chmodSync(`/proc/self/fd/${descriptor}`, mode)
    } finally {
      closeSync(descriptor)
    }
  }

  /** Times in seconds. */
  setTimes(name: Buffer, accessed: number, modified: number): void {
    lutimesSync(this.#at(name), accessed, modified)
  }

  /** Removes anything but a folder. */
  unlink(name: Buffer): void {
    unlinkSync(this.#at(name))
  }

  removeEmptyFolder(name: Buffer): void {
    rmdirSync(this.#at(name))
  }

  /** Moves an entry into a folder of the same file system, where nothing may have that name. */
  move(name: Buffer, to: Folder, newName: Buffer): void {
    renameSync(this.#at(name), to.#at(newName))
  }

  #at(name: Buffer): Buffer {
    if (!isName(name)) throw new RangeError(`${JSON.stringify(String(name))} is not the name of an entry`)
    return Buffer.concat([this.#prefix, name])
  }
}

/** Whether this can be the name of an entry: not empty, not `.` or `..`, without a slash and without NUL. */
export function isName(name: Buffer): boolean {
  const isDots = name.length <= 2 && name.every((byte) => byte === 0x2e)
  return name.length > 0 && !isDots && !name.includes(slash) && !name.includes(0)
}

export function kindOf(stat: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'folder'
  return stat.isSymbolicLink() ? 'link' : 'other'
}

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
