/**
 * The files of the audit journal. Lines are appended; existing lines are never rewritten.
 *
 * A failed write is cut off again. A line that a killed process left unfinished stays, as a separate line. The file
 * `head` holds the number and hash of the last line, so that lines missing at the end are detected.
 */

import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '@agentpty/protocol'
import { auditFileBytesMax, auditFilesMax } from '@agentpty/protocol/audit'

const writeLater = promisify(write)

/** A line of the journal, which is the last one. */
export interface AuditHead {
  readonly n: number
  readonly hash: string
}

export interface AuditBatch {
  /** The number of its first record. */
  readonly first: number
  /** Whole lines. */
  readonly text: string
  /** The last of them. */
  readonly head: AuditHead
}

export interface Appended {
  /** The oldest record that is still kept, when older ones have made room; else null. */
  readonly droppedBefore: number | null
}

export interface AuditBounds {
  readonly fileBytesMax: number
  readonly filesMax: number
}

interface OpenFile {
  readonly fd: number
  /** Up to here it is as we know it. */
  size: number
  /** Its last line has an end. */
  isEnded: boolean
}

export class AuditFiles {
  readonly #folder: string
  readonly #bounds: AuditBounds
  #file: OpenFile | null = null
  #head: HeadFile | null = null
  #isClosed = false

  constructor(folder: string, bounds: AuditBounds = { fileBytesMax: auditFileBytesMax, filesMax: auditFilesMax }) {
    this.#folder = folder
    this.#bounds = bounds
  }

  /** Errors: those of the file system; then nothing of the batch is there. */
  async append(batch: AuditBatch): Promise<Appended> {
    const { file, droppedBefore } = this.#fileFor(batch)
    const bytes = bytesOf(batch, file)
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await writeLater(file.fd, bytes, done, bytes.length - done, null)
        done += bytesWritten
      }
    } catch (error) {
      cutOff(file)
      throw error
    }
    this.#wrote(file, bytes.length, batch.head)
    return { droppedBefore }
  }

  /** The same before it returns, for a process that ends. */
  appendNow(batch: AuditBatch): Appended {
    const { file, droppedBefore } = this.#fileFor(batch)
    const bytes = bytesOf(batch, file)
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file.fd, bytes, done)
    } catch (error) {
      cutOff(file)
      throw error
    }
    this.#wrote(file, bytes.length, batch.head)
    return { droppedBefore }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file.fd)
    this.#head?.close()
    this.#file = null
    this.#isClosed = true
  }

  #wrote(file: OpenFile, length: number, head: AuditHead): void {
    file.size += length
    file.isEnded = true
    this.#head ??= new HeadFile(this.#folder)
    this.#head.keep(head)
  }

  #fileFor({ first, text }: AuditBatch): { readonly file: OpenFile; readonly droppedBefore: number | null } {
    if (this.#isClosed) throw new Error('the journal is closed')
    const last = this.#file ?? this.#openLast()
    const file = last === null ? null : asItIs(last)
    this.#file = file
    const hasRoom = file !== null && (file.size === 0 || file.size + text.length <= this.#bounds.fileBytesMax)
    if (hasRoom) return { file, droppedBefore: null }
    if (file !== null) closeSync(file.fd)
    this.#file = null
    makeFolder(this.#folder)
    const fd = openSync(join(this.#folder, nameOf(first)), how, 0o600)
    this.#file = { fd, size: fstatSync(fd).size, isEnded: true }
    return { file: this.#file, droppedBefore: this.#dropOldest() }
  }

  #openLast(): OpenFile | null {
    const path = auditFiles(this.#folder).at(-1)
    if (path === undefined) return null
    const fd = openSync(path, how, 0o600)
    return { fd, ...endOf(fd, fstatSync(fd)) }
  }

  #dropOldest(): number | null {
    const files = auditFiles(this.#folder)
    const kept = files.slice(-this.#bounds.filesMax)
    for (const path of files.slice(0, files.length - kept.length)) rmSync(path, { force: true })
    return kept.length === files.length || kept[0] === undefined ? null : firstIn(kept[0])
  }
}

const how = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** Returns the file; null when it was removed. Foreign changes to it stay, and a verification finds them. */
function asItIs(file: OpenFile): OpenFile | null {
  const stat = fstatSync(file.fd)
  if (stat.nlink === 0) {
    closeSync(file.fd)
    return null
  }
  if (stat.size !== file.size) Object.assign(file, endOf(file.fd, stat))
  return file
}

function endOf(fd: number, { size }: Stats): { readonly size: number; readonly isEnded: boolean } {
  const last = Buffer.alloc(1)
  return { size, isEnded: size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 10) }
}

function bytesOf({ text }: AuditBatch, { isEnded }: OpenFile): Buffer {
  return Buffer.from(isEnded ? text : `\n${text}`)
}

function cutOff({ fd, size }: OpenFile): void {
  try {
    ftruncateSync(fd, size)
  } catch {
    // Half a line stays, and is found to be there before the next write.
  }
}

const namePattern = /^audit-(\d{12})\.jsonl$/
const nameOf = (first: number) => `audit-${String(first).padStart(12, '0')}.jsonl`

/** The number of the first record in a file, by its name. */
export function firstIn(path: string): number {
  const [, digits = '0'] = namePattern.exec(path.slice(path.lastIndexOf('/') + 1)) ?? []
  return Number(digits)
}

/** The oldest first; none without a folder. */
export function auditFiles(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  const names = readdirSync(folder).filter((name) => namePattern.test(name))
  return names.sort().map((name) => join(folder, name))
}

const headName = 'head'
/** Always the same length and written in one go: no process that is killed leaves half of it. */
const headBytes = 64

/** The head file. It may lag behind: no line is lost by that, but the removal of lines from the end may go undetected. */
class HeadFile {
  readonly #path: string
  #fd: number | null = null

  constructor(folder: string) {
    this.#path = join(folder, headName)
  }

  keep({ n, hash }: AuditHead): void {
    try {
      this.#fd ??= openSync(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
      writeSync(this.#fd, `${`${n} ${hash}`.padEnd(headBytes - 1)}\n`, 0)
      // The file was removed. The next head is a new file.
      if (fstatSync(this.#fd).nlink === 0) this.close()
    } catch {
      // It lags behind.
      this.close()
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }
}

/** Null when there is none, or it is none. */
export function readHead(folder: string): AuditHead | null {
  try {
    const fd = openSync(join(folder, headName), constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const bytes = Buffer.alloc(headBytes)
      const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, headBytes, 0))
      const [, n, hash] = /^(\d{1,15}) ([\w-]{43})\s*$/.exec(text) ?? []
      return n === undefined || hash === undefined ? null : { n: Number(n), hash }
    } finally {
      closeSync(fd)
    }
  } catch {
    // Not there, or not readable: then nothing is known of the end.
    return null
  }
}
