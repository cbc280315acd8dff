/** Gymnasium, an optional dependency of the Python package: installed once under `.cache`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const manifest = join(import.meta.dirname, 'requirements.txt')
/** The time limit of the installation, for machines without a network. */
const installMsMax = 180_000
const cache = resolve('.cache')
const folder = join(cache, 'gymnasium')
const marker = 'requirements.txt'

const isCurrent = () =>
  existsSync(join(folder, marker)) && readFileSync(join(folder, marker), 'utf8') === readFileSync(manifest, 'utf8')

/** Returns a folder for PYTHONPATH; null, with a printed note, if this machine cannot install it. */
export function gymnasiumFolder(): string | null {
  if (isCurrent()) return folder
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, '.gymnasium-'))
  const args = ['-m', 'pip', 'install', '--quiet', '--retries', '1', '--target', made, '--requirement', manifest]
  try {
    execFileSync('python3', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: installMsMax })
    copyFileSync(manifest, join(made, marker))
    rmSync(folder, { recursive: true, force: true })
    renameSync(made, folder)
    return folder
  } catch (error) {
    // Without pip or a network, the tests that need it are skipped and report that.
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    process.stdout.write(`SKIPPED: tests of gymnasium; it cannot be installed here (${reason})\n`)
    rmSync(made, { recursive: true, force: true })
    return null
  }
}
