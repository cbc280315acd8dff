/**
 * Builds ptyhost for every machine the published package serves, into packages/agentpty/prebuilds.
 *
 *   npm run prebuild                   all of them
 *   npm run prebuild -- linux-arm64    only these
 *   npm run prebuild -- --check        builds nothing; fails unless all are there and of these sources
 *
 * The same sources give the same bytes on every machine: the sums it prints can be compared.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { binaryOf, describe, hashSources, manifestOf, problemsOf, type Target, targets } from './prebuilds/targets.ts'
import { provideZig, type Zig } from './prebuilds/zig.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const native = path.join(root, 'native', 'ptyhost')
const prebuilds = path.join(root, 'packages', 'agentpty', 'prebuilds')

try {
  const args = process.argv.slice(2)
  if (args.includes('--check')) check()
  else buildAll(chosen(args))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function check(): void {
  const problems = problemsOf(prebuilds, native)
  if (problems.length > 0) throw new Error(`not to be published: ${problems.join('; ')}. Run: npm run prebuild`)
  say('all are there, and of these sources')
}

function chosen(names: readonly string[]): readonly Target[] {
  const known = targets.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no such target: ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name))
}

function buildAll(wanted: readonly Target[]): void {
  const zig = provideZig(say)
  const sources = hashSources(native)
  // Files of an earlier build from other sources must not remain.
  if (problemsOf(prebuilds, native).includes('the sources have changed since they were built'))
    rmSync(prebuilds, { recursive: true })
  for (const [index, target] of wanted.entries()) {
    say(`${index + 1} of ${wanted.length}: ${target.name}`)
    build(target, zig)
  }
  const built = targets.filter((target) => existsSync(binaryOf(prebuilds, target)))
  const files = Object.fromEntries(built.map((target) => [target.name, describe(binaryOf(prebuilds, target))]))
  writeFileSync(manifestOf(prebuilds), `${JSON.stringify({ sources, files }, null, 2)}\n`)
  for (const [name, { bytes, sha256 }] of Object.entries(files))
    process.stdout.write(`${sha256}  ${String(bytes).padStart(7)}  ${name}/ptyhost\n`)
}

function build(target: Target, zig: Zig): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'agentpty-prebuild-'))
  try {
    const compiler = `CC=${quote(zig.program)} cc -target ${target.triple}`
    const args = ['-s', '-C', native, 'prebuilt', `BUILD=${scratch}`, `SYSTEM=${target.system}`, compiler]
    const { status, error } = spawnSync('make', args, { env: zig.env, stdio: ['ignore', 'inherit', 'inherit'] })
    if (error) throw new Error(`cannot run make (${error.message}). Install it: apt-get install make`)
    if (status !== 0) throw new Error(`${target.name} does not compile; zig says above where`)
    keep(path.join(scratch, 'ptyhost'), target)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Copied to a new file and renamed, because a running program cannot be overwritten. */
function keep(built: string, target: Target): void {
  runsHere(built, target)
  const binary = binaryOf(prebuilds, target)
  mkdirSync(path.dirname(binary), { recursive: true })
  copyFileSync(built, `${binary}.new`)
  chmodSync(`${binary}.new`, 0o755)
  renameSync(`${binary}.new`, binary)
}

/** The others are only known to compile. */
function runsHere(built: string, target: Target): void {
  if (target.name !== `${process.platform}-${process.arch}`) return
  const { status } = spawnSync(built, [], { stdio: 'ignore' })
  // Without arguments it prints its usage and exits with 2.
  if (status !== 2) throw new Error(`${target.name} was built but does not run here: exit code ${status} instead of 2`)
}

/** For the shell that make starts. */
function quote(file: string): string {
  return `'${file.replaceAll("'", "'\\''")}'`
}

function say(text: string): void {
  process.stderr.write(`prebuild: ${text}\n`)
}
