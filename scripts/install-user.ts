/**
 * Installs agentpty for this user from the checkout: copies the built package into the user's data folder, and links the
 * command into a folder of the user's PATH.
 *
 *   node --import tsx scripts/install-user.ts           installs or updates
 *   node --import tsx scripts/install-user.ts --undo    removes the link and the copy
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const source = path.join(root, 'packages', 'agentpty')
const data = process.env['XDG_DATA_HOME'] || path.join(homedir(), '.local', 'share')
const target = path.join(data, 'agentpty', 'package')
const program = path.join(target, 'bin', 'agentpty.js')
const folder = path.join(homedir(), '.local', 'bin')
const link = path.join(folder, 'agentpty')

function install(): void {
  refuseForeignLink()
  const fresh = `${target}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  copyPackage(fresh)
  replaceTarget(fresh)
  mkdirSync(folder, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(program, link)
  const { stdout, status } = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' })
  if (status !== 0) fail(`${program} does not start`, 'Build it again: npm run build')
  say(`agentpty ${stdout.trim()} is installed: ${link}`)
  say(isOnPath() ? '\nNext: agentpty init' : howToReach())
}

/** Copies the files of the published package, the C host of this machine, and the packages that it loads at run time. */
function copyPackage(to: string): void {
  const { files, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(source, 'package.json'), 'utf8'),
  ) as { files: string[]; dependencies: object; optionalDependencies: object }
  const parts = files.filter((name) => !/[!*]/.test(name))
  for (const part of [...parts, 'package.json', 'README.md', 'LICENSE'])
    cpSync(path.join(source, part), path.join(to, part), { recursive: true, filter: (file) => !file.endsWith('.map') })
  for (const name of withTheirOwn([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]))
    cpSync(inModules(name), path.join(to, 'node_modules', name), { recursive: true, dereference: true })
}

const inModules = (name: string): string => path.join(root, 'node_modules', name)

/** Adds the packages that these need, for this machine: optional ones of other machines are not installed. */
function withTheirOwn(names: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>()
  const visit = (name: string): void => {
    const manifest = path.join(inModules(name), 'package.json')
    if (all.has(name) || !existsSync(manifest)) return
    all.add(name)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: object
      optionalDependencies?: object
    }
    for (const needed of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) visit(needed)
  }
  for (const name of names) visit(name)
  return all
}

/** A running daemon keeps the files that it has opened; a failure between the two steps leaves the old copy beside. */
function replaceTarget(fresh: string): void {
  const old = `${target}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(target)) renameSync(target, old)
  renameSync(fresh, target)
  rmSync(old, { recursive: true, force: true })
}

function undo(): void {
  const isLinked = isOurs()
  if (!isLinked && !existsSync(target)) {
    say('agentpty is not installed for this user.')
    return
  }
  // A daemon of the copy could not load its files any more. Its terminals go on.
  if (existsSync(program)) spawnSync(process.execPath, [program, 'stop'], { stdio: 'ignore' })
  if (isLinked) rmSync(link)
  rmSync(target, { recursive: true, force: true })
  say(`Removed ${isLinked ? `${link} and ` : ''}${target}.`)
  say(
    `Clients keep their entries. To remove those: node ${path.relative('.', path.join(source, 'bin', 'agentpty.js'))} init --undo --yes`,
  )
}

/** The link of an earlier installation. */
function isOurs(): boolean {
  return isThere(link) && lstatSync(link).isSymbolicLink() && readlinkSync(link) === program
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

function refuseForeignLink(): void {
  if (isThere(link) && !isOurs())
    fail(`${link} exists and was not made by this script`, `Move it away: mv ${link} ${link}.old`)
}

const isOnPath = (): boolean => (process.env['PATH'] ?? '').split(path.delimiter).includes(folder)

function howToReach(): string {
  const shell = path.basename(process.env['SHELL'] ?? 'bash')
  const line =
    shell === 'fish'
      ? `fish_add_path ${folder}`
      : `echo 'export PATH="${folder}:$PATH"' >> ~/.${shell === 'zsh' ? 'zsh' : 'bash'}rc`
  return `\n${folder} is not in your PATH. Add it, and open a new shell:\n  ${line}\nThen: agentpty init`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(what: string, next: string): never {
  process.stderr.write(`install:user: ${what}.\n${next}\n`)
  process.exit(1)
}

if (process.argv.includes('--undo')) undo()
else install()
