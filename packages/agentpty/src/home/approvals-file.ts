/** The approvals of an instance, in a file of its own: they outlive the daemon. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type KeptApprovals, parseKeptApprovals } from '../contracts/approvals/approval.ts'
import { TermError } from '../contracts/errors.ts'

const nothing: KeptApprovals = { last: 0, approvals: [], grants: { last: 0, grants: [] } }

/** What does not parse counts as nothing: nobody is allowed anything by a broken file. */
export function loadApprovals(path: string): KeptApprovals {
  try {
    return parseKeptApprovals(JSON.parse(readFileSync(path, 'utf8'))) ?? nothing
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return nothing
    throw new TermError(
      'environment',
      `${path} cannot be read: ${(error as Error).message}.`,
      'Make it readable, or remove it: what waits for a person is asked again.',
    )
  }
}

/** Errors: `environment`, on a full disk say; then nothing is allowed either. */
export function saveApprovals(path: string, kept: KeptApprovals): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}`
    writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    throw new TermError(
      'environment',
      `${path} cannot be written: ${(error as Error).message}.`,
      'Make room on the disk, or make the folder yours.',
    )
  }
}
