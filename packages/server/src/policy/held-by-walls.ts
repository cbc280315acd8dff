/** Which paths the walls of a terminal keep as they are, so that nobody has to be asked about them. */

import { dirname, join } from 'node:path'
import type { SandboxInForce } from '@agentpty/protocol/sandbox'
import { baseName, type IsHeld, isAtOrBelow, realOf } from '@agentpty/shell-policy'

/** What a program inside can change: the places it may write, and those that are its own, in which a link may lead to one of them. */
const ownFolders = ['/tmp', '/var/tmp', '/run', '/dev', '/proc']

/** All else can only be read there. A link outside may lead into a place that can be written, so links are followed. */
export function heldBy({ writable }: SandboxInForce): IsHeld {
  const open = [...writable.map(realPath), ...ownFolders]
  return (path) => {
    const real = realPath(path)
    return [path, real].every((one) => !open.some((folder) => isAtOrBelow(one, folder) || isAtOrBelow(folder, one)))
  }
}

/** As far as it is there: where its last part is not, the folder counts. */
function realPath(path: string): string {
  const real = realOf(path)
  if (real !== null) return real
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), baseName(path))
}
