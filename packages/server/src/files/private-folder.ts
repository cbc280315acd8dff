/** A folder that only its user may enter: whoever reaches the sockets in it can do all that the user's shell can. */

import { lstatSync, type Stats } from 'node:fs'
import { makeFolder, TermError } from '@agentpty/protocol'

/** Makes the folder when it is missing. Errors: `environment` when it is a link or a file, somebody else's or open to others. */
export function ensurePrivateFolder(path: string, userId: number): void {
  const problem = publicProblem(foundOrMade(path), userId)
  if (problem === null) return
  throw new TermError(
    'environment',
    `The socket folder ${path} ${problem.what}.`,
    `${problem.advice}, or set AGENTPTY_HOME to another folder.`,
  )
}

interface Problem {
  readonly what: string
  readonly advice: string
}

/**
 * Why others may enter the folder; null when they may not. `stat` is that of the name itself, not of a link's target.
 */
export function publicProblem(stat: Stats, userId: number): Problem | null {
  if (stat.isSymbolicLink()) return { what: 'is a link: who made it says where it leads', advice: 'Remove it' }
  if (!stat.isDirectory()) return { what: 'is no folder', advice: 'Move it away' }
  if (stat.uid !== userId) return { what: 'belongs to another user', advice: 'Remove it' }
  if ((stat.mode & 0o077) !== 0) return { what: 'is open to other users', advice: 'Make it yours alone (chmod 700)' }
  return null
}

/** Errors: `environment` when it cannot be made. */
function foundOrMade(path: string): Stats {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined) return found
    makeFolder(path)
    return lstatSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = 'Make room or make the folder above it yours, or set AGENTPTY_HOME to another folder.'
    throw new TermError('environment', `The socket folder ${path} cannot be made: ${reason}.`, hint)
  }
}
