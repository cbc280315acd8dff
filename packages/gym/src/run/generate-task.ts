/** A task that is made for a seed: its folder is copied, and its generate.py writes what depends on the seed into the copy. */

import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { runTool } from '../resets/run-tool.ts'
import type { FoundTask } from './find-tasks.ts'

export interface Generation {
  readonly seed: number
  /** A folder that does not exist yet. It becomes a plain folder of Harbor, the same for the same seed. */
  readonly to: string
  /** A person has allowed generators that do not come with agentpty. */
  readonly isAllowed: boolean
}

/**
 * Makes the folder of a task. The generator runs on this machine as the current user, outside of any container, so one from another author
 * runs only where a person has allowed it.
 *
 * Errors: `invalid_input` without that permission, `environment` where the generator fails.
 */
export async function generateTask({ folder, isOurs }: FoundTask, { seed, to, isAllowed }: Generation): Promise<void> {
  if (!isOurs && !isAllowed)
    throw new TermError(
      'invalid_input',
      `${join(folder, 'generate.py')} makes this task, and would run on this machine as you.`,
      'Read it first. Then allow it: --allow-generator; for an environment, write the folder first: agentpty gym write --allow-generator',
    )
  cpSync(folder, to, {
    recursive: true,
    filter: (path) => !path.endsWith('/generate.py') && !path.endsWith('__pycache__'),
  })
  const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path)) ?? 'python3'
  const { code, complaint } = await runTool(python, ['-B', join(folder, 'generate.py'), String(seed), to], {
    cwd: folder,
    env: { PYTHONHASHSEED: '0', TZ: 'UTC' },
  })
  if (code === 0) return
  rmSync(to, { recursive: true, force: true })
  throw new TermError(
    'environment',
    `${join(folder, 'generate.py')} could not make the task for seed ${seed}: ${complaint}`,
    'It needs Python 3.11 and the packages that its task.toml requires.',
  )
}
