/** One state folder has one daemon, whatever the environment of its callers. The next daemon reports its end. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { type DaemonLock, type Paths, resolvePaths, socketsIn } from '@agentpty/protocol/home'
import type { Finding } from '@agentpty/protocol/setup'
import type { DaemonStatus } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Finished } from '../harness/command-line.ts'
import { isAlive, processesWith, program, run, until, writeUserFiles } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const userId = process.getuid?.() ?? 0
let user: string
let paths: Paths
/** The whole environment of a cron job. */
let bare: Readonly<Record<string, string>>

beforeEach(() => {
  user = scratchFolder()
  writeUserFiles(user)
  bare = { HOME: user }
  paths = resolvePaths(bare, userId)
})

afterEach(async () => {
  if (processes().length > 0) await cli(bare, 'stop', '--all')
  await until(() => processes().length === 0)
})

const processes = () => processesWith(`HOME=${user}`)
const daemons = () =>
  processes().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('daemon'))

const cli = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Finished> =>
  run(process.execPath, [program, ...args], env)

async function statusIn(env: Readonly<Record<string, string>>): Promise<DaemonStatus> {
  return JSON.parse((await cli(env, 'status', '--start', '--json')).stdout)
}

async function findingsOf(env: Readonly<Record<string, string>>, name: string): Promise<readonly Finding[]> {
  const { stdout } = await cli(env, 'doctor', '--json')
  return JSON.parse(stdout).findings.filter((finding: Finding) => finding.name === name)
}

/** A session's folder, as a login creates it. */
function runtimeFolder(name: string): string {
  const path = join(user, name)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

const inSession = (name: string) => ({ ...bare, XDG_RUNTIME_DIR: runtimeFolder(name), PATH: process.env['PATH'] ?? '' })

async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid) || !daemons().includes(pid))
}

describe('callers with different environments', () => {
  test('reach the same daemon: a session, another one, a login shell, a cron job', async () => {
    const first = await statusIn(inSession('session-1'))
    const others = [
      inSession('session-2'),
      { ...bare, PATH: '/usr/bin:/bin' },
      bare,
      { ...bare, TMPDIR: runtimeFolder('tmp') },
    ]
    for (const env of others) expect((await statusIn(env)).daemon.pid).toBe(first.daemon.pid)
    expect(first.stateFolder).toBe(join(user, '.local/state/agentpty'))
    expect(daemons()).toEqual([first.daemon.pid])
  })

  test('that start at the same time get one daemon, also after each SIGKILL', async () => {
    for (let round = 0; round < 10; round++) {
      const envs = [inSession('session-1'), inSession('session-2'), bare]
      const found = await Promise.all(envs.map((env) => statusIn(env)))
      const pids = new Set(found.map(({ daemon }) => daemon.pid))
      expect([...pids]).toHaveLength(1)
      await until(() => daemons().length === 1)
      expect(daemons()).toEqual([...pids])
      await kill(found[0]?.daemon.pid ?? 0)
    }
  })

  test('see the same terminals after the daemon was killed', async () => {
    const { stdout } = await cli(inSession('session-1'), 'new', '--json', '--', 'cat')
    const { terminalId } = JSON.parse(stdout)
    await kill((await statusIn(bare)).daemon.pid)
    for (const env of [bare, inSession('session-2')])
      expect(JSON.parse((await cli(env, 'ls', '--json')).stdout).terminals).toMatchObject([
        { terminalId, isActive: true },
      ])
  })
})

describe('a state folder whose path is too long for a socket', () => {
  let deep: string
  beforeEach(() => {
    // Not below /tmp, which a systemd unit may have as a private folder.
    deep = join(scratchFolder('/var/tmp'), 'x'.repeat(90))
    mkdirSync(deep)
    bare = { ...bare, AGENTPTY_HOME: deep }
  })
  afterEach(async () => {
    await cli(bare, 'stop', '--all')
    await until(() => processes().length === 0)
  })

  test('has one daemon, whatever TMPDIR its callers have', async () => {
    const { daemon, socket } = await statusIn(bare)
    expect(socket).toMatch(/^\/tmp\/agentpty-\d+-[0-9a-f]{16}\/daemon\.sock$/)
    for (const name of ['one', 'two'])
      expect((await statusIn({ ...bare, TMPDIR: runtimeFolder(name) })).daemon.pid).toBe(daemon.pid)
  })

  test('has one daemon by all its names, and keeps its terminals when that is killed', async () => {
    const { stdout } = await cli(bare, 'new', '--json', '--', 'cat')
    const { terminalId } = JSON.parse(stdout)
    const { daemon } = await statusIn(bare)
    const link = join(user, 'link')
    symlinkSync(deep, link)
    const byLink = { ...bare, AGENTPTY_HOME: link }
    expect((await statusIn(byLink)).daemon.pid).toBe(daemon.pid)
    await kill(daemon.pid)
    for (const env of [byLink, bare])
      expect(JSON.parse((await cli(env, 'ls', '--json')).stdout).terminals).toMatchObject([{ terminalId }])
    await until(() => daemons().length === 1)
  })

  test('is refused to a caller with another /tmp, with the pid of its daemon', async () => {
    const { daemon } = await statusIn(bare)
    const words = ['--dev-bind', '/', '/', '--tmpfs', '/tmp', process.execPath, program, 'ls']
    const { code, stderr } = await run('bwrap', words, { ...bare, PATH: process.env['PATH'] ?? '' })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`The daemon with pid ${daemon.pid} owns ${deep}`)
    expect(stderr).toContain(`kill ${daemon.pid}; its terminals continue`)
    expect((await statusIn(bare)).daemon.pid).toBe(daemon.pid)
  })
})

test('a program that uses the library reaches the same daemon', async () => {
  const { stdout } = await cli(inSession('session-1'), 'new', '--json', '--', 'cat')
  const code = `import { connect } from ${JSON.stringify(resolve('packages/agentpty/dist/index.js'))}
    const terminals = await connect()
    console.log(JSON.stringify(await terminals.client.call('list', {})))
    await terminals.close()`
  const found = await run(process.execPath, ['--input-type=module', '-e', code], bare)
  expect(JSON.parse(found.stdout).terminals).toMatchObject([{ terminalId: JSON.parse(stdout).terminalId }])
})

describe('a lock', () => {
  const read = (): DaemonLock => JSON.parse(readFileSync(paths.lock, 'utf8'))

  function put(more: Partial<DaemonLock>): void {
    writeFileSync(paths.lock, JSON.stringify({ ...read(), ...more }), { mode: 0o600 })
  }

  /** The lock left by a daemon that was killed with its ptyhost. */
  async function left(more: Partial<DaemonLock>): Promise<void> {
    const { daemon, host } = await statusIn(bare)
    const lock = read()
    await kill(daemon.pid)
    process.kill(host.pid, 'SIGKILL')
    await until(() => processes().length === 0)
    writeFileSync(paths.lock, JSON.stringify({ ...lock, ...more }), { mode: 0o600 })
  }

  test('names the machine, the boot, the process and the socket', async () => {
    const { daemon, socket } = await statusIn(bare)
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const { build } = daemon
    expect(read()).toMatchObject({ machine: { hostname: hostname() }, boot, pid: daemon.pid, socket, build })
  })

  test('of another boot is taken over, and the restart is reported', async () => {
    await left({ boot: 'an earlier one' })
    const { previous, daemon } = await statusIn(bare)
    expect(previous?.text).toMatch(
      /ended without a record; its last call was status at .* The machine has restarted since\.$/,
    )
    expect(read().pid).toBe(daemon.pid)
  })

  test('of another machine is refused with the next step, and nothing is written', async () => {
    const machine = { id: 'x', hostname: 'attic' }
    await left({ boot: 'another', machine })
    const before = readFileSync(paths.lock, 'utf8')
    const { code, stderr } = await cli(bare, 'ls')
    expect(code).not.toBe(0)
    expect(stderr).toContain('A daemon of the machine attic (pid')
    expect(stderr).toContain('Run agentpty stop on attic')
    expect(stderr).toContain(`rm ${paths.lock}`)
    expect(readFileSync(paths.lock, 'utf8')).toBe(before)
    // The refused daemon reports its reason before it ends.
    await until(() => daemons().length === 0)
    expect(await findingsOf(bare, 'lock')).toMatchObject([{ mark: 'wrong', found: expect.stringContaining('attic') }])
    rmSync(paths.lock)
    expect((await cli(bare, 'ls')).code).toBe(0)
  })

  test('leads clients to a socket elsewhere', async () => {
    const { daemon } = await statusIn(bare)
    const { shortRunFolder } = paths
    mkdirSync(shortRunFolder, { mode: 0o700 })
    const elsewhere = socketsIn(shortRunFolder).daemonSocket
    const code = `const net = require('node:net')
      net.createServer((near) => { const far = net.connect(${JSON.stringify(paths.daemonSocket)}); near.pipe(far).pipe(near)
        for (const one of [near, far]) one.on('error', () => {}) })
        .listen(${JSON.stringify(elsewhere)}, () => console.log('listens'))`
    const relay = spawn(process.execPath, ['-e', code], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(relay.stdout, 'data')
      put({ socket: elsewhere })
      expect((await statusIn(bare)).daemon.pid).toBe(daemon.pid)
      relay.kill()
      await once(relay, 'exit')
    } finally {
      relay.kill()
      rmSync(shortRunFolder, { recursive: true })
      put({ socket: paths.daemonSocket })
    }
  })

  test('taken by another daemon ends this one, and its terminals continue', async () => {
    const { stdout } = await cli(bare, 'new', '--json', '--', 'cat')
    const { terminalId } = JSON.parse(stdout)
    const { daemon } = await statusIn(bare)
    put({ startedAt: 'later' })
    await until(() => !daemons().includes(daemon.pid))
    expect(readFileSync(paths.log, 'utf8')).toContain('another daemon has taken the lock of the state folder')
    expect(JSON.parse((await cli(bare, 'ls', '--json')).stdout).terminals).toMatchObject([
      { terminalId, isActive: true },
    ])
  })

  test('is released by a daemon that ends in order', async () => {
    await statusIn(bare)
    await cli(bare, 'stop')
    await until(() => daemons().length === 0)
    expect(existsSync(paths.lock)).toBe(false)
  })
})

describe('the end of a daemon is reported by the next one', () => {
  test.each<[string, (status: DaemonStatus) => unknown, RegExp, boolean]>([
    ['stop', () => cli(bare, 'stop'), /ended at \S+: a client stopped it\.$/, true],
    ['SIGTERM', ({ daemon }) => process.kill(daemon.pid, 'SIGTERM'), /: signal SIGTERM\.$/, true],
    ['SIGHUP', ({ daemon }) => process.kill(daemon.pid, 'SIGHUP'), /: signal SIGHUP\.$/, true],
    [
      'SIGKILL',
      ({ daemon }) => process.kill(daemon.pid, 'SIGKILL'),
      / without a record; its last call was status at \S+Z\.$/,
      false,
    ],
    [
      'the end of ptyhost',
      ({ host }) => process.kill(host.pid, 'SIGKILL'),
      /: the process that owns the terminals \(ptyhost\) has ended\.$/,
      false,
    ],
  ])('after %s, by status and the doctor', async (_what, end, text, isOrderly) => {
    const before = await statusIn(bare)
    expect(before.previous).toBeNull()
    await end(before)
    await until(() => !daemons().includes(before.daemon.pid))
    const { previous } = await statusIn(bare)
    expect(previous).toEqual({ isOrderly, text: expect.stringMatching(text) })
    expect(previous?.text).toContain(`(pid ${before.daemon.pid})`)
    expect((await cli(bare, 'status')).stdout).toContain(previous?.text)
    const mark = isOrderly ? 'ok' : 'warn'
    expect(await findingsOf(bare, 'last daemon')).toMatchObject([{ mark, found: previous?.text }])
    expect(readFileSync(paths.log, 'utf8').includes(previous?.text ?? '')).toBe(!isOrderly)
  })

  test('a call is recorded by its name only', async () => {
    await cli(bare, 'run', 'echo hunter2')
    expect(readFileSync(paths.lastCall, 'utf8')).not.toContain('hunter2')
  })
})
