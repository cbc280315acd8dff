/** The token that a client over HTTP must know: reading it allows everything that this user's shell can do. */

import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { invalidInput, makeFolder, tokenCharactersMax, tokenCharactersMin } from '@agentpty/protocol'
import { type Paths, socketsIn } from '@agentpty/protocol/home'
import { createPrivate, ensurePrivateFolder, writePrivate } from '../files/index.ts'

const tokenBytes = 32

/** Made when it is missing or empty; the same from then on, for its user alone. Errors: `invalid_input` when unreadable or unwritable. */
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
    throw invalidInput(`The token in ${path} cannot be read or made: ${reason}.`, hint)
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

/** Why a file system refuses a socket: some network homes and FAT have none. */
const refusals: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL'])

/** Makes a socket at the path and removes it. Null when that works, else the code of the error. */
type TryBind = (path: string) => Promise<string | null>

/** The paths with a folder for sockets, made if needed; all daemons of a machine get the same one. Errors: `machine_unfit`. */
export async function withSockets(paths: Paths, userId: number, tryBind: TryBind = bindOnce): Promise<Paths> {
  const { runFolder, shortRunFolder } = paths
  ensurePrivateFolder(runFolder, userId)
  if (runFolder === shortRunFolder) return paths
  const refused = await tryBind(join(runFolder, `try-${process.pid}.sock`))
  if (refused === null || !refusals.has(refused)) return paths
  ensurePrivateFolder(shortRunFolder, userId)
  return { ...paths, ...socketsIn(shortRunFolder) }
}

function bindOnce(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      rmSync(path, { force: true })
      resolve(error.code ?? 'unknown')
    })
    server.listen(path, () => server.close(() => resolve(null)))
  })
}
