/** What a test runs and the project does not need: packages in the versions of a manifest, installed once under `.cache`. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
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
  const install = () => {
    const marker = join(folder, 'package.json')
    const read = (path: string) => readFileSync(path, 'utf8')
    const isCurrent = existsSync(file('.package-lock.json')) && existsSync(marker) && read(marker) === read(manifest)
    if (isCurrent) return
    mkdirSync(folder, { recursive: true })
    copyFileSync(manifest, marker)
    // --force: Node is asked for by a package for each machine, and only one of them fits.
    const args = ['install', '--silent', '--force', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const { dependencies: versions } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { versions, node: file(`node-linux-${process.arch}`, 'bin', 'node'), file, install }
}
