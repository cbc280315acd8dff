/** Clients' files, read and replaced whole. A reader never sees half of one, and a link stays a link. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '@agentpty/protocol'
import { MalformedFile } from './edit-json.ts'

/** Null when there is no file. Errors: {@link MalformedFile} for bytes that could not be written back. */
export function readText(path: string): string | null {
  if (!existsSync(path)) return null
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new MalformedFile('it is not UTF-8')
  return text
}

/** Only its user may read a new file; an existing one keeps its mode. */
export function replaceFile(path: string, text: string): void {
  makeFolder(dirname(path))
  const target = existsSync(path) ? realpathSync(path) : path
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600
  const fresh = `${target}.agentpty-${process.pid}`
  writeFileSync(fresh, text, { mode })
  renameSync(fresh, target)
}

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

export function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o044) !== 0
}

export function problemOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof MalformedFile ? `cannot be read (${reason})` : reason
}
