/** The token that a client over HTTP must know: whoever can read it may do whatever this user's shell can. */

import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, TermError, tokenCharactersMax, tokenCharactersMin } from '@agentpty/protocol'
import { createPrivate, writePrivate } from '../files/index.ts'

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

function makeToken(path: string): void {
  const text = `${randomBytes(tokenBytes).toString('base64url')}\n`
  if (statSync(path, { throwIfNoEntry: false }) === undefined) createPrivate(path, text)
  else writePrivate(path, text)
}
