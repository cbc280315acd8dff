/** The token that a client over HTTP must know: whoever can read it may do whatever this user's shell can. */

import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, TermError, tokenCharactersMax, tokenCharactersMin } from '@agentpty/protocol'

const tokenBytes = 32

/**
 * Made when there is no file, or none in it; the same from then on. Only its user may read the file.
 * Errors: `invalid_input` when it cannot be read or written.
 */
export function httpToken(path: string): string {
  try {
    makeFolder(dirname(path))
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

/** Null when there is no token, or no valid one: empty, cut off, several lines. Errors: a file that cannot be read. */
export function readToken(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  // One more byte for the line feed.
  if (stat === undefined || (stat.isFile() && stat.size > tokenCharactersMax + 2)) return null
  const text = readFileSync(path, 'latin1').trim()
  return text.length >= tokenCharactersMin && /^[\x21-\x7e]+$/.test(text) ? text : null
}

/** Written under another name first, so that a full disk or a kill leaves no half of it. */
function makeToken(path: string): void {
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${randomBytes(tokenBytes).toString('base64url')}\n`, { mode: 0o600 })
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) linkSync(fresh, path)
    else renameSync(fresh, path)
  } catch (error) {
    // Another process has written it at the same moment.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}
