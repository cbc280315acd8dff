/** The token that a client over HTTP must know: who can read it may do whatever this user's shell can. */

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const tokenBytes = 32

/** Made when there is none yet; the same from then on. The file is its user's alone. */
export function httpToken(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${randomBytes(tokenBytes).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, 0o600)
  }
  return readFileSync(path, 'utf8').trim()
}
