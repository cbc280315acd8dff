/**
 * The bench's folders and files, and the private workspace of every server: its own HOME, and an environment without
 * this user's settings.
 */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const benchRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
export const checkout = path.resolve(benchRoot, '..')
const peersRoot = path.join(benchRoot, '.peers')

/** bash settings: a prompt nothing else prints, and the moment each prompt is back written by bash itself. */
export const rcFile = path.join(benchRoot, 'fixtures', 'bashrc')
export const prompt = 'bench$ '
export const bashCommand = (stampFile) => `${stampFile ? `env BENCH_TS=${stampFile} ` : ''}bash --rcfile ${rcFile} -i`

export const makeHome = () => mkdtempSync(path.join(tmpdir(), 'agentpty-bench-'))
export const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

export function privateEnvironment(home, extra = {}) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TMPDIR: home,
    ...extra,
  }
}

/** A file inside an installed peer. */
export function peerFile(name, file = '') {
  return path.join(peersRoot, folderName(name), 'node_modules', name, file)
}

/** Installs a peer once, in the pinned version, into its own folder, so that peers cannot disturb each other. */
export function installPeer(name) {
  // Newer versions of npm compile only packages allowed by name, without a message about the rest.
  const { dependencies, overrides, allowScripts } = readJson(path.join(benchRoot, 'package.json'))
  const version = dependencies[name]
  const installed = peerFile(name, 'package.json')
  if (existsSync(installed) && readJson(installed).version === version) return
  const folder = path.join(peersRoot, folderName(name))
  mkdirSync(folder, { recursive: true })
  const manifest = { private: true, dependencies: { [name]: version }, overrides, allowScripts }
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  process.stderr.write(`bench: installing ${name}@${version}\n`)
  execFileSync('npm', ['install', '--silent', '--no-package-lock'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: installEnvironment(),
  })
}

/**
 * Removes npm's variables: under `npm run` npm passes on its own settings, which would override the peer's
 * manifest.
 */
function installEnvironment() {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const skipBrowser = { PUPPETEER_SKIP_DOWNLOAD: '1' } // the browser that one peer can drive is not measured
  return { ...Object.fromEntries(inherited), ...skipBrowser }
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const folderName = (name) => name.replace(/^@/, '').replace('/', '-')

/**
 * A file of exactly `bytes` bytes in numbered lines of 100. The length of its name does not depend on the size, so neither
 * does that of a line that names it.
 */
export function lineFile(bytes) {
  const file = path.join(benchRoot, 'fixtures', `lines-${String(bytes).padStart(9, '0')}.txt`)
  if (existsSync(file) && statSync(file).size === bytes) return file
  const filler = 'abcdefghij'.repeat(9).slice(0, 89)
  const out = openSync(file, 'w')
  for (let line = 0; line < bytes / 100; line += 10_000) {
    const count = Math.min(10_000, bytes / 100 - line)
    writeSync(out, Array.from({ length: count }, (_, i) => `${String(line + i).padStart(9, '0')} ${filler}\n`).join(''))
  }
  closeSync(out)
  return file
}

/** The file's content on a terminal: every newline becomes two bytes. */
export const onTerminal = (bytes) => bytes + bytes / 100
