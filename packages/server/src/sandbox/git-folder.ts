/** Where a checkout keeps its history, when that is not in it: a linked worktree writes into the repository that it was made from. */

import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { realOf, statOf } from '@agentpty/shell-policy'

/**
 * Null without one. A `.git` that somebody has written counts only where the repository names this checkout itself: whoever writes in
 * the one cannot make that true for the other.
 */
export function linkedRepository(workspace: string): string | null {
  const link = join(workspace, '.git')
  if (statOf(link)?.isFile() !== true) return null
  const folder = lineIn(link)?.replace(/^gitdir: /, '') ?? null
  const own = folder === null ? null : realOf(resolve(workspace, folder))
  if (own === null || realOf(lineIn(join(own, 'gitdir')) ?? '') !== realOf(link)) return null
  const common = realOf(resolve(own, lineIn(join(own, 'commondir')) ?? ''))
  if (common === null || dirname(dirname(own)) !== common || statOf(join(common, 'HEAD'))?.isFile() !== true)
    return null
  return common
}

function lineIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').split('\n')[0] ?? null
  } catch {
    // Not there: then it is not that kind of checkout.
    return null
  }
}
