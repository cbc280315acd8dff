/** A folder that is its user's alone. What goes through the sockets in it is everything the user's shell can do. */

import { mkdirSync, statSync } from 'node:fs'
import { TermError } from '../../contracts/errors.ts'

/** Makes the folder when it is missing. Errors: `environment` when it is somebody else's or open to others. */
export function ensurePrivateFolder(path: string, userId: number): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stat = statSync(path)
  const problem =
    stat.uid !== userId ? 'belongs to another user' : (stat.mode & 0o077) !== 0 ? 'is open to other users' : null
  if (problem === null) return
  throw new TermError(
    'environment',
    `The socket folder ${path} ${problem}.`,
    'Make it yours alone (chmod 700), or set AGENTPTY_HOME to another folder.',
  )
}
