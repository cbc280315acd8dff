/** Packages that tests run and the project does not need, in the versions of a manifest, installed once under `.cache`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const cache = resolve('.cache')

export interface Installed {
  /** The newer Node that they need, if the manifest names one. */
  readonly node: string
  /** The versions by package, as in the manifest. */
  readonly versions: Readonly<Record<string, string>>
  /** Returns the path of a file of a package. */
  file(...path: readonly string[]): string
  /** Installs after a change of the manifest, or for the first time. */
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
    // Two test files may install at the same time: each makes its own copy, and the first complete one is used.
    const made = mkdtempSync(join(cache, `.${name}-`))
    copyFileSync(manifest, join(made, 'package.json'))
    // --force: a package exists for each machine, and only one of them fits the Node version.
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
