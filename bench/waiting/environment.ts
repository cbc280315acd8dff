/**
 * The environment of scenarios: an ordinary user, a scratch folder, built helpers, servers. All of it is removed after the
 * run.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Scenario, Variables } from './scenario.ts'

export interface Environment {
  readonly runs: string
  readonly variables: Readonly<Record<string, string>>
  /** The command that runs another one as the ordinary user, with that user's environment and the home of a lane. */
  asUser(
    user: string,
    lane: number,
    command: readonly string[],
  ): { readonly command: readonly string[]; readonly env: NodeJS.ProcessEnv }
  close(): void
}

export interface EnvironmentOptions {
  readonly folder: string
  readonly scenarios: readonly Scenario[]
  readonly log: (text: string) => void
}

/** Services that the public scenarios use without naming them. */
const alwaysServed = ['repo', 'dpkg', 'stall', 'auth', 'postgres']
const alwaysInstalled =
  'bash zsh fish python3 python3-prompt-toolkit ipython3 gdb irb tclsh tcl postgresql gpg openssl openssh-client sudo dialog whiptail fzf htop mc expect busybox git gawk make gcc golang-go less vim tmux bsdextrautils bsdutils util-linux'
const password = 'hunter2'
const serviceMs = 120_000

const isRoot = () => process.getuid?.() === 0

/** Errors: throws when something the scenarios need is unavailable; nothing is skipped. */
export async function openEnvironment({ folder, scenarios, log }: EnvironmentOptions): Promise<Environment> {
  const closers: (() => void)[] = []
  const close = () => {
    for (const closer of closers.splice(0).toReversed()) closer()
  }
  try {
    install(scenarios, log)
    const runs = mkdtempSync(join(tmpdir(), 'waiting-'))
    chmodSync(runs, 0o777)
    closers.push(() => rmSync(runs, { recursive: true, force: true }))
    for (const user of new Set(scenarios.map(({ user: name }) => name))) closers.push(ensureUser(user))
    const helpers = buildHelpers(folder, runs, log)
    const variables: Record<string, string> = { RUNS: runs, H: helpers, BENCH_USER: scenarios[0]?.user ?? 'ttyu' }
    for (const name of new Set([...alwaysServed, ...scenarios.flatMap(({ services }) => services)])) {
      log(`service ${name}`)
      closers.push(await startService(join(folder, 'services', `${name}.sh`), join(runs, `service-${name}`), variables))
    }
    return { runs, variables, asUser: userCommand(runs), close }
  } catch (error) {
    close()
    throw error
  }
}

function install(scenarios: readonly Scenario[], log: (text: string) => void): void {
  if (!isRoot()) return
  const wanted = new Set([...alwaysInstalled.split(' '), ...scenarios.flatMap(({ packages }) => packages), 'bpftrace'])
  const missing = [...wanted].filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  log(`installing ${missing.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const get = (...words: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const options = ['install', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold']
  if (get(...options, ...missing).status === 0) return
  get('update')
  const done = get(...options, ...missing)
  if (done.status !== 0) throw new Error(`apt-get cannot install ${missing.join(' ')}: ${done.stderr}`)
}

/** A format of dpkg-query. */
const statusFormat = '$'.concat('{db:Status-Abbrev}')

/** Virtual packages are satisfied by any provider. */
function isInstalled(name: string): boolean {
  const asked = spawnSync('dpkg-query', ['-W', '-f', statusFormat, name], { encoding: 'utf8' })
  return asked.stdout.startsWith('ii')
}

/** Returns a function that removes everything that was created. */
function ensureUser(name: string): () => void {
  if (!isRoot()) return () => {}
  const exists = spawnSync('id', ['-u', name]).status === 0
  if (!exists) execFileSync('useradd', ['-m', '-s', '/bin/bash', name], { stdio: 'ignore' })
  execFileSync('chpasswd', { input: `${name}:${password}\n` })
  const rule = `/etc/sudoers.d/agentpty-bench-${name}`
  mkdirSync('/etc/sudoers.d', { recursive: true })
  writeFileSync(rule, `${name} ALL=(ALL:ALL) ALL\n`, { mode: 0o440 })
  return () => {
    rmSync(rule, { force: true })
    if (!exists) deleteUser(name)
  }
}

/**
 * With what it left in the common scratch folder: the next user of this name has another number, and may not touch it.
 */
function deleteUser(name: string): void {
  spawnSync('find', [tmpdir(), '-mindepth', '1', '-xdev', '-user', name, '-delete'], { stdio: 'ignore' })
  spawnSync('userdel', ['-r', '-f', name], { stdio: 'ignore' })
}

function buildHelpers(folder: string, runs: string, log: (text: string) => void): string {
  const helpers = join(runs, 'helpers')
  cpSync(join(folder, 'helpers'), helpers, { recursive: true, filter: (from) => basename(from) !== 'node_modules' })
  const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    execFileSync(program, [...args], {
      cwd: helpers,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  log('building helpers')
  for (const file of readdirSync(helpers, { recursive: true, encoding: 'utf8' })) {
    const name = join(helpers, file)
    if (file.endsWith('.gen.py')) writeFileSync(name.replace('.gen.py', ''), execFileSync('python3', [name]))
    else if (file.endsWith('.go'))
      run('go', ['build', '-o', file.slice(0, -3), file], { CGO_ENABLED: '0', GOCACHE: join(runs, 'go'), HOME: runs })
    else if (file.endsWith('.c') && /\bmain\s*\(/.test(readFileSync(name, 'utf8')))
      run('gcc', ['-O2', '-pthread', '-o', file.slice(0, -2), file, ...libraries(name)])
  }
  run('gcc', ['-O2', '-shared', '-fPIC', '-o', 'tty-hook.so', join(folder, 'baselines', 'tty-hook.c'), '-ldl'])
  if (existsSync(join(helpers, 'node', 'package.json')))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], {
      cwd: join(helpers, 'node'),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  execFileSync('chmod', ['-R', 'a+rX', helpers])
  return helpers
}

/** A helper names the libraries it needs in a comment: `link: -luring`. */
function libraries(file: string): readonly string[] {
  return /link:\s*((?:-l\w+\s*)+)/.exec(readFileSync(file, 'utf8'))?.[1]?.trim().split(/\s+/) ?? []
}

/** Runs until the environment is closed. What it prints as `set NAME=value` becomes a variable. */
function startService(script: string, scratch: string, variables: Record<string, string>): Promise<() => void> {
  mkdirSync(scratch, { recursive: true, mode: 0o755 })
  const service: ChildProcess = spawn('bash', [script], {
    cwd: scratch,
    env: { ...process.env, ...variables, DIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stop = () => {
    try {
      process.kill(-(service.pid ?? 0), 'SIGTERM')
    } catch {
      // It has ended on its own.
    }
  }
  return new Promise((resolve, reject) => {
    let complaint = ''
    const fail = () => reject(new Error(`service ${basename(script)} does not start: ${complaint.slice(-500)}`))
    const timer = setTimeout(() => {
      stop()
      fail()
    }, serviceMs)
    service.stderr?.on('data', (text) => {
      complaint = (complaint + text).slice(-2_000)
    })
    service.on('exit', fail)
    createInterface({ input: service.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const set = /^set (\w+)=(.*)$/.exec(line)
      if (set?.[1] !== undefined) variables[set[1]] = set[2] ?? ''
      if (line !== 'ready') return
      clearTimeout(timer)
      service.off('exit', fail)
      resolve(stop)
    })
  })
}

export function homeOf(runs: string, user: string, lane: number): string {
  return join(runs, lane === 0 ? `home-${user}` : `home-${user}-${lane}`)
}

function userCommand(runs: string): Environment['asUser'] {
  return (user, lane, command) => {
    const home = homeOf(runs, user, lane)
    const isNew = !existsSync(home)
    mkdirSync(home, { recursive: true })
    const name = isRoot() ? user : (process.env['USER'] ?? user)
    if (isRoot() && isNew) execFileSync('chown', ['-R', `${user}:`, home])
    const env = {
      HOME: home,
      USER: name,
      LOGNAME: name,
      SHELL: '/bin/bash',
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games:/usr/local/sbin:/usr/sbin:/sbin',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      TMPDIR: '/tmp',
      TMUX_TMPDIR: home,
    }
    const prefix = isRoot() ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []
    return { command: [...prefix, ...command], env }
  }
}

/** Runs as root before its scenario. Errors: throws when it fails. */
export function setUp(scenario: Scenario, variables: Variables): void {
  if (scenario.setup === null) return
  const done = spawnSync('sh', ['-c', scenario.setup], {
    cwd: variables['RUNS'],
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  })
  if (done.status !== 0) throw new Error(`set-up failed: ${(done.stderr || done.stdout).trim().slice(-300)}`)
}
