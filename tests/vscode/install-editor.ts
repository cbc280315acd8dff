/** Installs a real VS Code that runs without a display: code-server, with the Node version it needs, in its own folder. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '.editor')
const nodeVersion = '24.21.0'
const editorVersion = '4.139.1'
const nodePackage = `node-linux-${process.arch}`
const nodeHome = join(folder, 'node', 'node_modules', nodePackage)

export const editorNode = join(nodeHome, 'bin', 'node')
export const editorEntry = join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js')

/** The parts that are compiled here. */
const needed = [
  { file: '/usr/bin/g++', package: 'g++' },
  { file: '/usr/bin/make', package: 'make' },
  { file: '/usr/bin/python3', package: 'python3' },
  { file: '/usr/include/gssapi.h', package: 'libkrb5-dev' },
]

/** Takes some four minutes the first time, and 800 MB. */
export function installEditor(): void {
  const done = join(folder, `installed-${editorVersion}-${nodeVersion}`)
  if (existsSync(done)) return
  process.stderr.write('vscode: installing a real editor, which takes some minutes\n')
  installPackages()
  rmSync(folder, { recursive: true, force: true })
  npm(join(folder, 'node'), ['--ignore-scripts', `${nodePackage}@${nodeVersion}`], {})
  const path = `${join(nodeHome, 'bin')}:${process.env['PATH'] ?? ''}`
  const own = { PATH: path, npm_config_nodedir: nodeHome, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }
  npm(folder, ['--ignore-scripts=false', '--omit=dev', `code-server@${editorVersion}`], own)
  execFileSync(editorNode, [editorEntry, '--version'], { stdio: 'ignore' })
  writeFileSync(done, '')
}

function installPackages(): void {
  const missing = needed.filter(({ file }) => !existsSync(file)).map((one) => one.package)
  if (missing.length === 0) return
  const apt = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing]
  const [program = '', ...args] = process.getuid?.() === 0 ? apt : ['sudo', '-n', ...apt]
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`The editor needs these Debian packages to be installed: ${missing.join(', ')}`)
}

function npm(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'package.json'), '{"private":true}\n')
  execFileSync('npm', ['install', '--loglevel=error', '--no-package-lock', '--no-audit', '--no-fund', ...args], {
    cwd,
    env: { ...ownEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Removes the variables of a surrounding npm: the editor reads the Node version from them and refuses a wrong one. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
}
