/** A task that is made for a seed: its folder is copied, and its generate.py writes what depends on the seed into the copy. */

import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '../../../contracts/errors.ts'
import { runTool } from '../resets/run-tool.ts'

/**
 * `to`: a folder that is not there yet; what it holds then is a plain folder of Harbor, the same for the same seed. The generator is run on this
 * machine, as whoever runs this. Errors: `environment` where it fails.
 */
export async function generateTask(folder: string, seed: number, to: string): Promise<void> {
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
