/** The token that a client over HTTP must know: who can read it may do whatever this user's shell can. */

import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { TermError } from '../contracts/errors.ts'
import { tokenCharactersMax, tokenCharactersMin } from '../contracts/limits.ts'

const tokenBytes = 32

/**
 * Made when there is none yet, and anew when the file holds none; the same from then on. The file is its user's alone.
 * Errors: `invalid_input` when it cannot be read or written.
 */
export function httpToken(path: string): string {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (readToken(path) === null) makeToken(path)
    chmodSync(path, 0o600)
    const token = readToken(path)
    if (token !== null) return token
    throw new Error('it holds no token')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = `Make room on the disk, or move ${path} away; agentpty makes a new one. httpPort: null does without.`
    throw new TermError('invalid_input', `The token in ${path} cannot be read or made: ${reason}.`, hint)
  }
}

/** Null where there is none, or what is there is none: empty, cut off, several lines. Errors: what cannot be read. */
export function readToken(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  // With room for the end of its line.
  if (stat === undefined || (stat.isFile() && stat.size > tokenCharactersMax + 2)) return null
  const text = readFileSync(path, 'latin1').trim()
  return text.length >= tokenCharactersMin && /^[\x21-\x7e]+$/.test(text) ? text : null
}

/** Written whole under another name first: a full disk, or a kill, leaves no half of it. */
function makeToken(path: string): void {
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${randomBytes(tokenBytes).toString('base64url')}\n`, { mode: 0o600 })
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) linkSync(fresh, path)
    else renameSync(fresh, path)
  } catch (error) {
    // Another process has made it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}
