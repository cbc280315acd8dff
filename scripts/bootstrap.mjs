#!/usr/bin/env node
/**
 * Makes a fresh checkout ready: npm packages, the programs that tests and demo drive, the build.
 *
 * Runs on plain Node with nothing installed, hence no TypeScript and no dependency. When there is nothing to do it only
 * compares a few hundred file times (well under 150 ms), so every npm script may call it first.
 *
 *   node scripts/bootstrap.mjs               packages, programs that the tests drive, build
 *   node scripts/bootstrap.mjs --for=demo    packages, programs that the demo drives, build
 *   node scripts/bootstrap.mjs --for=build   packages, the compiler, build
 *   node scripts/bootstrap.mjs --deps-only   packages only; the build calls it this way
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (...parts) => path.join(root, ...parts)

/** The required programs by purpose, each by any of its names, and the Debian packages that contain them. */
const programs = {
  build: [
    { anyOf: ['cc'], packages: ['gcc', 'libc6-dev'] },
    { anyOf: ['/usr/include/stdio.h'], packages: ['libc6-dev'] },
    { anyOf: ['make'], packages: ['make'] },
  ],
  demo: [
    { anyOf: ['bash'], packages: ['bash'] },
    { anyOf: ['vim', 'vim.tiny', 'vi'], packages: ['vim-tiny'] },
    { anyOf: ['python3'], packages: ['python3'] },
  ],
  tests: [
    { anyOf: ['zsh'], packages: ['zsh'] },
    { anyOf: ['fish'], packages: ['fish'] },
    { anyOf: ['dash'], packages: ['dash'] },
    { anyOf: ['mksh'], packages: ['mksh'] },
    { anyOf: ['busybox'], packages: ['busybox'] },
    { anyOf: ['tmux'], packages: ['tmux'] },
    { anyOf: ['gdb'], packages: ['gdb'] },
    { anyOf: ['strace'], packages: ['strace'] },
    { anyOf: ['less'], packages: ['less'] },
    { anyOf: ['git'], packages: ['git'] },
    { anyOf: ['top'], packages: ['procps'] },
    { anyOf: ['bwrap'], packages: ['bubblewrap'] },
    // Needed by the sandbox of Claude Code.
    { anyOf: ['socat'], packages: ['socat'] },
    { anyOf: ['rg'], packages: ['ripgrep'] },
    { anyOf: ['htop'], packages: ['htop'] },
    { anyOf: ['nano'], packages: ['nano'] },
    { anyOf: ['mc'], packages: ['mc'] },
    { anyOf: ['dialog'], packages: ['dialog'] },
    { anyOf: ['fzf'], packages: ['fzf'] },
    // Needed by tasks of tty-30.
    { anyOf: ['/usr/bin/vim.basic', '/usr/bin/vim.nox', '/usr/bin/vim.gtk3'], packages: ['vim'] },
    { anyOf: ['/usr/bin/python3'], packages: ['python3'] },
    { anyOf: ['ed'], packages: ['ed'] },
    { anyOf: ['bc'], packages: ['bc'] },
    { anyOf: ['hexedit'], packages: ['hexedit'] },
    { anyOf: ['sc'], packages: ['sc'] },
    { anyOf: ['whiptail'], packages: ['whiptail'] },
    { anyOf: ['sqlite3'], packages: ['sqlite3'] },
    { anyOf: ['ssh-keygen'], packages: ['openssh-client'] },
    { anyOf: ['gpg'], packages: ['gnupg'] },
    { anyOf: ['pinentry-curses'], packages: ['pinentry-curses'] },
    { anyOf: ['faketime'], packages: ['faketime'] },
    { anyOf: ['/usr/games/nudoku', 'nudoku'], packages: ['nudoku'] },
    { anyOf: ['/usr/games/wump', 'wump'], packages: ['bsdgames'] },
    { anyOf: ['/usr/bin/node', '/usr/local/bin/node'], packages: ['nodejs'] },
    { anyOf: ['chromium'], packages: ['chromium', 'fonts-dejavu-core'] },
  ],
}

/** The purposes, each with the programs that it needs. */
const needed = {
  build: programs.build,
  demo: [...programs.build, ...programs.demo],
  tests: [...programs.build, ...programs.demo, ...programs.tests],
}

const depsOnly = process.argv.includes('--deps-only')
const purpose = Object.keys(needed).find((name) => process.argv.includes(`--for=${name}`)) ?? 'tests'

if (!packagesAreInstalled()) installPackages()
if (!depsOnly) {
  ensurePrograms()
  if (!buildIsFresh()) run('npm', ['run', '--silent', 'build'])
}

// --- npm packages ---

function packagesAreInstalled() {
  const installed = inRoot('node_modules', '.package-lock.json')
  const wanted = inRoot('package-lock.json')
  if (!existsSync(installed)) return false
  if (modifiedAt(installed) >= modifiedAt(wanted)) return true
  // A checkout or a copy touches the lock file without changing it; `npm ci` would then delete and download for nothing.
  return sameVersions(readJson(wanted).packages, readJson(installed).packages)
}

/** Optional packages of other platforms are in the lock file and rightly not on disk. */
function sameVersions(wanted, installed) {
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === '' || entry.link || !where.includes('node_modules/')) return true
    const found = installed[where]
    return found ? found.version === entry.version : entry.optional === true
  })
}

function installPackages() {
  say('installing npm packages (npm ci), about 20 s')
  // The development packages are the tools themselves: NODE_ENV=production must not leave them out.
  run('npm', ['ci', '--include=dev'])
}

// --- programs ---

function ensurePrograms() {
  const missing = needed[purpose].filter(({ anyOf }) => !anyOf.some(isThere))
  if (missing.length === 0) return
  const packages = [...new Set(missing.flatMap((program) => program.packages))]
  const names = missing.map(({ anyOf }) => anyOf[0]).join(', ')
  say(`missing: ${names}`)

  const prefix = installPrefix()
  if (prefix && aptInstall(prefix, packages)) return

  const line = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`
  say(`cannot install them from here. Run as root:\n  ${line}`)
  if (process.env.CI) process.exit(1)
  say(purpose === 'tests' ? 'going on without; tests that need a missing program will fail' : 'going on without')
}

/** The prefix for apt-get: [] as root, ['sudo', '-n'] if sudo needs no password, null if neither. */
function installPrefix() {
  if (!isThere('apt-get')) return null
  if (process.getuid?.() === 0) return []
  const sudo = isThere('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
  return sudo ? ['sudo', '-n'] : null
}

function aptInstall(prefix, packages) {
  const apt = (...args) => {
    const [program, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    return spawnSync(program, rest, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
  }
  say(`installing Debian packages: ${packages.join(' ')}`)
  // The update may fail for one broken source while the packages are still reachable, so its outcome does not decide.
  apt('update')
  return apt('install', '-y', '--no-install-recommends', ...packages)
}

function isThere(name) {
  if (name.startsWith('/')) return existsSync(name)
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => isExecutable(path.join(folder, name)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // missing or not executable for us: both mean "try the next folder"
  }
}

// --- build ---

/** The build stamps `build.json` with its start time, so a source saved meanwhile still counts as newer. */
function buildIsFresh() {
  const dist = inRoot('packages', 'agentpty', 'dist')
  const outputs = [
    'build.json',
    'main.js',
    'index.js',
    'contracts.js',
    'gym.js',
    'ptyhost',
    'page/index.html',
    'types/agentpty/index.d.ts',
  ].map((name) => path.join(dist, name))
  if (!outputs.every((file) => existsSync(file))) return false
  const builtAt = modifiedAt(outputs[0])
  const sources = [
    inRoot('packages', 'agentpty', 'package.json'),
    inRoot('package-lock.json'),
    inRoot('scripts', 'build.ts'),
    inRoot('scripts', 'build-page.ts'),
    inRoot('packages', 'web', 'index.html'),
    ...bundledPackages().flatMap((name) => walk(inRoot('packages', name, 'src'), { folders: true })),
    ...walk(inRoot('packages', 'agentpty', 'view'), { folders: true }),
    ...walk(inRoot('native', 'ptyhost'), { folders: false }),
  ]
  return sources.every((file) => modifiedAt(file) <= builtAt)
}

/** The extension of VS Code is packed by itself. */
function bundledPackages() {
  return readdirSync(inRoot('packages')).filter((name) => name !== 'vscode')
}

/** A folder's own time shows deleted and renamed files; it is left out where building itself adds entries. */
function walk(folder, { folders }) {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  const inside = entries.flatMap((entry) => {
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) return /^build/.test(entry.name) ? [] : walk(full, { folders })
    return /\.(tsx?|css|c|h)$|Makefile$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [full] : []
  })
  return folders ? [folder, ...inside] : inside
}

// --- small things ---

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (error) say(`cannot run ${program}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

function modifiedAt(file) {
  return statSync(file).mtimeMs
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function say(text) {
  process.stderr.write(`bootstrap: ${text}\n`)
}
