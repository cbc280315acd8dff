/**
 * Files of a folder that somebody else has filled. Nothing outside of it is read: `..`, absolute paths and links that lead out are refused, and
 * so is what is no plain file.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { TermError } from '../../contracts/errors.ts'
import { folderDepthMax, folderFilesMax } from '../../contracts/gym/gym-limits.ts'

/** What is wrong with a path that should lead to something below a folder; null when nothing is. */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty'
  if (path.includes('\0')) return 'has a zero character'
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path)) return 'is absolute; write it from the folder'
  if (path.split(/[\\/]/).includes('..')) return 'has "..", which may lead out of the folder'
  return null
}

/** The real path of what lies there; null for what is not there. Errors: `invalid_input` where it is not below the folder. */
function insideFolder(folder: string, path: string): string | null {
  const problem = pathProblem(path)
  if (problem !== null)
    throw new TermError('invalid_input', `The path "${path}" ${problem}.`, 'Name a file below the folder.')
  const target = join(folder, path)
  const real = realPath(target)
  if (real === null) return null
  const root = realPath(folder) ?? folder
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new TermError('invalid_input', `${target} leads out of ${folder}.`, 'Put a copy in place of the link.')
  return real
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw new TermError('environment', `${path} cannot be read: ${messageOf(error)}.`, 'Make it readable.')
  }
}

/** A dangling link is missing, too, and so is what lies below a file. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export function hasFile(folder: string, path: string): boolean {
  const real = insideFolder(folder, path)
  return real !== null && lstatSync(real).isFile()
}

/** Whether its owner may run it. */
export function isExecutable(folder: string, path: string): boolean {
  const real = insideFolder(folder, path)
  return real !== null && (lstatSync(real).mode & 0o100) !== 0
}

export function hasFolder(folder: string, path: string): boolean {
  const real = insideFolder(folder, path)
  return real !== null && lstatSync(real).isDirectory()
}

/** Null for what is not there. Errors: `invalid_input`, `limit_reached`, `environment`. */
export function readBytesInside(folder: string, path: string, bytesMax: number): Buffer | null {
  const real = insideFolder(folder, path)
  if (real === null) return null
  const shown = join(folder, path)
  let fd: number
  try {
    // Not to follow what has become a link meanwhile, and not to wait for a pipe's other end.
    fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw new TermError('environment', `${shown} cannot be read: ${messageOf(error)}.`, 'Make it readable.')
  }
  try {
    if (!fstatSync(fd).isFile())
      throw new TermError('invalid_input', `${shown} is no plain file.`, 'Put a file in its place.')
    const bytes = readAtMost(fd, bytesMax + 1)
    if (bytes.length > bytesMax)
      throw new TermError('limit_reached', `${shown} is longer than ${bytesMax} bytes.`, 'Shorten it.')
    return bytes
  } finally {
    closeSync(fd)
  }
}

/** Its size is not believed: it may grow while it is read. */
function readAtMost(fd: number, bytesMax: number): Buffer {
  const size = Math.min(bytesMax, fstatSync(fd).size + 1)
  const parts: Buffer[] = []
  let length = 0
  while (length < bytesMax) {
    const part = Buffer.alloc(Math.min(bytesMax - length, Math.max(size, 64 * 1_024)))
    const read = readSync(fd, part, 0, part.length, null)
    if (read === 0) break
    parts.push(part.subarray(0, read))
    length += read
  }
  return Buffer.concat(parts)
}

/** Null for what is not there. Errors: those of {@link readBytesInside}, and `invalid_input` for what is no UTF-8. */
export function readTextInside(folder: string, path: string, bytesMax: number): string | null {
  const bytes = readBytesInside(folder, path, bytesMax)
  if (bytes === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The decoder's own error does not say which file it is.
    throw new TermError('invalid_input', `${join(folder, path)} is no UTF-8.`, 'Save it as UTF-8.')
  }
}

/** Paths of all plain files below, from the folder, in no order. Links that stay inside count as what they lead to. Errors: `invalid_input`, `limit_reached`. */
export function filesBelow(folder: string, path: string): readonly string[] {
  const found: string[] = []
  let looked = 0
  const walk = (at: string, depth: number): void => {
    const real = insideFolder(folder, at)
    if (real === null) return
    if (depth > folderDepthMax || ++looked > folderFilesMax)
      throw new TermError(
        'limit_reached',
        `${join(folder, path)} has more than ${folderFilesMax} files, or folders deeper than ${folderDepthMax}.`,
        'Leave out what the task does not need.',
      )
    const stat = lstatSync(real)
    if (stat.isDirectory()) for (const name of readdirSync(real)) walk(join(at, name), depth + 1)
    else if (stat.isFile()) found.push(at)
    else throw new TermError('invalid_input', `${join(folder, at)} is no plain file.`, 'Take it out of the folder.')
  }
  walk(path, 0)
  return found.map((one) => one.split(sep).join('/'))
}
