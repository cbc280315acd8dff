/** A file that only its user may read, which is there whole or not at all. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { machineUnfit, makeFolder, systemReason } from '@agentpty/protocol'

/** More than any file of the daemon's state has. */
const privateFileBytesMax = 1 << 28

export const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
const isExisting = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'

/** Null for a file that is not there. Errors: `machine_unfit`; `advice`: what its user does then. */
export function readPrivate(path: string, advice: string): string | null {
  try {
    return readPlainFile(path)
  } catch (error) {
    if (isAbsent(error)) return null
    throw machineUnfit(`${path} cannot be read: ${systemReason(error)}.`, advice)
  }
}

/** Without waiting for the other end of a pipe. Errors: those of the system, and for what is no plain file, or longer than any state file. */
function readPlainFile(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (stat.isDirectory()) throw new Error('it is a folder')
    if (!stat.isFile()) throw new Error('it is no plain file')
    if (stat.size > privateFileBytesMax) throw new Error(`it has more than ${privateFileBytesMax} bytes`)
    return readFileSync(descriptor, 'utf8')
  } finally {
    closeSync(descriptor)
  }
}

/** The same as a value; null also for a file that is torn, or was written by hand. Errors: `machine_unfit`. */
export function readPrivateJson(path: string, advice: string): unknown {
  const text = readPrivate(path, advice)
  try {
    return text === null ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Its folder is made when it is missing. Errors: `machine_unfit`, on a full disk say; then the file is as it was. */
export function writePrivate(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`
  try {
    makeFolder(dirname(path))
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    // Half a file on a full disk takes the room that is missing.
    rmSync(fresh, { force: true })
    throw machineUnfit(
      `${path} cannot be written: ${systemReason(error)}.`,
      'Make room on the disk, or make the folder yours.',
    )
  }
}

/** Creates the file by a link, which fails if there is one: false if another process was faster. Errors: those of the file system. */
export function createPrivate(path: string, text: string): boolean {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
    linkSync(fresh, path)
    return true
  } catch (error) {
    if (isExisting(error)) return false
    throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Removes the file if it still holds `text`. Errors: those of the file system. */
export function removeUnchanged(path: string, text: string): void {
  const aside = `${path}.${process.pid}.old`
  try {
    renameSync(path, aside)
    if (readPlainFile(aside) !== text) linkSync(aside, path)
  } catch (error) {
    // It is gone already, or a third process has made one: the caller's next attempt decides.
    if (!isExisting(error) && !isAbsent(error)) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Called with the fate of a file whose contents are invalid. */
export type SetAside = (what: string) => void

const mark = '.unreadable-'
export const isSetAside = (name: string): boolean => name.includes(mark)

/** Moves a file or a folder that is torn, or of another kind, out of the way, whole. Errors: those of the file system. */
export function setAside(path: string, report: SetAside): void {
  const aside = `${path}${mark}${randomBytes(4).toString('hex')}`
  renameSync(path, aside)
  report(`${path} made no sense. It is ${aside} now, and what it held is forgotten.`)
}

interface JsonFileOptions<Value> {
  readonly schema: { safeParse(value: unknown): { readonly data?: Value | undefined } }
  /** The hint of an error when the file cannot be read. */
  readonly advice: string
  /** Sets a file aside that is torn or holds something else. With null such a file stays, and counts as none. */
  readonly setAside: SetAside | null
}

/** A JSON value in a private file. Errors: `machine_unfit` for each function. */
export function privateJsonFile<Value>(path: string, { schema, advice, setAside: report }: JsonFileOptions<Value>) {
  return {
    /** Null without a value. */
    read: (): Value | null => {
      const value = schema.safeParse(readPrivateJson(path, advice)).data ?? null
      if (value === null && report !== null && existsSync(path)) setAside(path, report)
      return value
    },
    write: (value: Value): void => writePrivate(path, JSON.stringify(value)),
    remove: (): void => rmSync(path, { force: true }),
  }
}

/** Names that come here are checked where they are made; whatever else comes leaves no folder. */
export const safeName = (name: string): string => name.replaceAll(/[^\w.-]|^\.+/g, '_')

/** None of a folder that is not there. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

// A folder that only its user may enter. A process that reaches its sockets can do all that the user's shell can.

/** Makes the folder when missing. Errors: `machine_unfit` when it is a link or a file, belongs to another user, or is open to others. */
export function ensurePrivateFolder(path: string, userId: number): void {
  const problem = publicProblem(foundOrMade(path), userId)
  if (problem === null) return
  throw machineUnfit(
    `The socket folder ${path} ${problem.what}.`,
    `${problem.advice}, or set AGENTPTY_HOME to another folder.`,
  )
}

/** Why others may enter the folder; null when they may not. `stat` is that of the name itself, not of a link's target. */
export function publicProblem(stat: Stats, userId: number) {
  if (stat.isSymbolicLink()) return { what: 'is a link: who made it says where it leads', advice: 'Remove it' }
  if (!stat.isDirectory()) return { what: 'is no folder', advice: 'Move it away' }
  if (stat.uid !== userId) return { what: 'belongs to another user', advice: 'Remove it' }
  if ((stat.mode & 0o077) !== 0) return { what: 'is open to other users', advice: 'Make it yours alone (chmod 700)' }
  return null
}

/** Errors: `machine_unfit` when it cannot be made. */
function foundOrMade(path: string): Stats {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined) return found
    makeFolder(path)
    return lstatSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = 'Make room or make the folder above it yours, or set AGENTPTY_HOME to another folder.'
    throw machineUnfit(`The socket folder ${path} cannot be made: ${reason}.`, hint)
  }
}
