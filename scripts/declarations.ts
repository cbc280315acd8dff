/**
 * The package's type declarations, made when its sources have changed since. Making them takes some seconds, so only a
 * build without any waits for them; else they are made in the background and replace the old ones when they are
 * complete.
 *
 *   node --import tsx scripts/declarations.ts HASH     makes them, of the sources with that hash
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { publishTypes } from './published-types.ts'

const script = fileURLToPath(import.meta.url)
const root = path.resolve(path.dirname(script), './..')
const home = path.join(root, 'packages', 'agentpty')
const dist = path.join(home, 'dist')
const types = path.join(dist, 'types')
/** The compiler's output folder for the declarations of each package. */
const compiled = path.join(root, 'build', 'types')
const stampOf = (folder: string) => path.join(folder, 'sources')

/** `isChecked`: wait for them in any case, and fail if the sources have errors. */
export function provideTypes(hash: string, { isChecked }: { readonly isChecked: boolean }): void {
  if (isChecked || !existsSync(path.join(types, 'agentpty', 'index.d.ts'))) {
    if (!makeTypes(hash)) throw new Error('the types cannot be made')
    return
  }
  if (madeOf(types) === hash) return
  spawn(process.execPath, ['--import', 'tsx', script, hash], { cwd: root, detached: true, stdio: 'ignore' }).unref()
}

/** False if the sources have an error. */
function makeTypes(hash: string): boolean {
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  const { status } = spawnSync(tsc, ['--build', home], { cwd: root, stdio: 'inherit' })
  if (status !== 0) return false
  const fresh = path.join(dist, `types-${process.pid}`)
  const files = ['index', 'gym', 'testing', 'contracts'].map((name) => `agentpty/${name}.d.ts`)
  publishTypes({ compiled, folderOf: (name) => path.join(root, 'packages', name) }, files, fresh)
  writeFileSync(stampOf(fresh), hash)
  rmSync(types, { recursive: true, force: true })
  renameSync(fresh, types)
  return true
}

function madeOf(folder: string): string | null {
  return existsSync(stampOf(folder)) ? readFileSync(stampOf(folder), 'utf8') : null
}

/** The types of a superseded build are not needed. */
function isNewest(hash: string): boolean {
  const { build } = JSON.parse(readFileSync(path.join(dist, 'build.json'), 'utf8')) as { build: string }
  return build === hash
}

const [, called, hash] = process.argv
if (called === script && hash !== undefined && isNewest(hash)) makeTypes(hash)
