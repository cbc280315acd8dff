/** What a test runs and the project does not need: packages in the versions of a manifest, installed once under `.cache`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const cache = resolve('.cache')

export interface Installed {
  /** The newer Node that they need, when the manifest names it. */
  readonly node: string
  /** By package, as the manifest has them. */
  readonly versions: Readonly<Record<string, string>>
  /** A file of a package. */
  file(...path: readonly string[]): string
  /** Installs when the manifest has changed, or never has been installed. */
  install(): void
}

export function installed(name: string, manifest: string): Installed {
  const folder = join(cache, name)
  const file = (...path: readonly string[]) => join(folder, 'node_modules', ...path)
  const isCurrent = () => {
    const marker = join(folder, 'package.json')
    return existsSync(file('.package-lock.json')) && readFileSync(marker, 'utf8') === readFileSync(manifest, 'utf8')
  }
  const install = () => {
    if (isCurrent()) return
    mkdirSync(cache, { recursive: true })
    // Two files of tests may be at it at once: each makes its own, and the first that is done is taken.
    const made = mkdtempSync(join(cache, `.${name}-`))
    copyFileSync(manifest, join(made, 'package.json'))
    // --force: Node is asked for by a package for each machine, and only one of them fits.
    const args = ['install', '--silent', '--force', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', args, { cwd: made, stdio: ['ignore', 'ignore', 'inherit'] })
    if (!isCurrent()) {
      rmSync(folder, { recursive: true, force: true })
      renameSync(made, folder)
    }
    rmSync(made, { recursive: true, force: true })
  }
  const { dependencies: versions } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { versions, node: file(`node-linux-${process.arch}`, 'bin', 'node'), file, install }
}
