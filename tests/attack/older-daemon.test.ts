/** Daemons of other builds: those below XDG_RUNTIME_DIR are replaced and their terminals kept, those of other machines are left alone. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { type Paths, resolvePaths, socketsIn } from '@agentpty/protocol/home'
import type { DaemonOwner } from '@agentpty/protocol/testing'
import { writeHello } from '@agentpty/protocol/wire'
import { thisProcess } from '@agentpty/server/state'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Finished } from '../harness/command-line.ts'
import { isAlive, processesWith, program, run, until, writeUserFiles } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const userId = process.getuid?.() ?? 0
let user: string
let env: Readonly<Record<string, string>>
let paths: Paths

beforeEach(() => {
  user = scratchFolder()
  writeUserFiles(user)
  env = { HOME: user, XDG_RUNTIME_DIR: join(user, 'session'), PATH: process.env['PATH'] ?? '' }
  paths = resolvePaths(env, userId)
})

afterEach(async () => {
  if (processes().length > 0) await cli('stop', '--all')
  for (const pid of processes()) process.kill(pid, 'SIGKILL')
  await until(() => processes().length === 0)
})

const processes = () => processesWith(`HOME=${user}`)
const cli = (...args: readonly string[]): Promise<Finished> => run(process.execPath, [program, ...args], env)

async function terminals() {
  return JSON.parse((await cli('ls', '--json')).stdout).terminals
}

describe('below XDG_RUNTIME_DIR', () => {
  let older: ReturnType<typeof socketsIn>
  beforeEach(() => {
    older = socketsIn(join(user, 'session', 'agentpty'))
    mkdirSync(older.runFolder, { recursive: true, mode: 0o700 })
  })

  /** A terminal at a ptyhost there, as a daemon of an older version leaves it. */
  async function leftTerminal(): Promise<string> {
    const { terminalId } = JSON.parse((await cli('new', '--json', '--', 'cat')).stdout)
    const { daemon } = JSON.parse((await cli('status', '--start', '--json')).stdout)
    process.kill(daemon.pid, 'SIGKILL')
    await until(() => !processes().includes(daemon.pid))
    // The socket keeps its listener under another name.
    renameSync(paths.hostSocket, older.hostSocket)
    for (const path of [paths.lock, `${paths.hostSocket}.lock`, paths.daemonSocket]) rmSync(path)
    return terminalId
  }

  /** A fake daemon without a lock: sends its hello, and ends when asked to retire. */
  async function startOlderDaemon(home = user): Promise<ChildProcess> {
    const script = join(user, 'agentpty.js')
    writeFileSync(
      script,
      `const net = require('node:net')
      net.createServer((socket) => socket.once('data', () => {
        socket.write('{"agentpty":1,"version":"0.0.9","build":"older","pid":' + process.pid + '}\\n')
        socket.on('data', (bytes) => { if (bytes.includes('retire')) process.exit() })
        socket.on('error', () => {})
      })).listen(process.argv[3], () => console.log('listens'))`,
    )
    const daemon = spawn(process.execPath, [script, 'daemon', older.daemonSocket], {
      env: { ...env, HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(daemon.stdout, 'data')
    return daemon
  }

  test('the ptyhost left by an older daemon is taken over with its terminals, and again after a SIGKILL', async () => {
    const terminalId = await leftTerminal()
    for (let round = 0; round < 2; round++) {
      expect(await terminals()).toMatchObject([{ terminalId, isActive: true }])
      const { daemon, socket } = JSON.parse((await cli('status', '--start', '--json')).stdout)
      expect(socket).toBe(paths.daemonSocket)
      process.kill(daemon.pid, 'SIGKILL')
      await until(() => !processes().includes(daemon.pid))
    }
    expect((await cli('send', terminalId, 'ping')).stdout).toContain('ping')
  })

  test.each([
    ['of the same session', () => env],
    ['without the variable', () => ({ HOME: user })],
  ])('an older daemon of the same state folder is replaced first, for a caller %s', async (_who, environment) => {
    const daemon = await startOlderDaemon()
    env = environment()
    expect((await cli('ls')).code).toBe(0)
    expect(daemon.exitCode ?? (await once(daemon, 'exit'))[0]).toBe(0)
    expect(readFileSync(paths.log, 'utf8')).toContain('The daemon of version 0.0.9')
  })

  test('an older daemon of another state folder is left alone', async () => {
    const elsewhere = join(user, 'elsewhere')
    mkdirSync(elsewhere)
    const daemon = await startOlderDaemon(elsewhere)
    try {
      expect((await cli('ls')).code).toBe(0)
      expect(isAlive(daemon.pid ?? 0)).toBe(true)
    } finally {
      daemon.kill()
    }
  })
})

describe('a daemon of another build', () => {
  const received: string[] = []
  let server: Server
  const sockets: Socket[] = []

  /** A daemon of another build behind our socket, as with a forwarded or shared socket. */
  async function listen(more: Partial<DaemonOwner> | null): Promise<void> {
    const owner = { process: thisProcess(systemClock), userId, stateFolder: '/s', socket: paths.daemonSocket }
    const hello = { version: '9.9.9', build: 'another', pid: process.pid }
    mkdirSync(paths.runFolder, { recursive: true, mode: 0o700 })
    received.length = 0
    server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(writeHello({ ...hello, owner: more === null ? null : { ...owner, ...more } }))
        socket.on('data', (bytes) => {
          received.push(bytes.toString())
          // It has been replaced.
          server.close()
          for (const one of sockets) one.destroy()
        })
      })
    }).listen(paths.daemonSocket)
    await once(server, 'listening')
  }

  afterEach(() => {
    server.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  const boot = { ...thisProcess(systemClock), boot: 'another', machine: { id: 'x', hostname: 'attic' } }
  test.each<[string, Partial<DaemonOwner> | null, RegExp]>([
    ['on another machine', { process: boot }, /version 9\.9\.9\) on attic/],
    ['of another user', { userId: userId + 1 }, new RegExp(`of user ${userId + 1}`)],
    ['behind a relay', { socket: '/elsewhere/daemon.sock' }, /not ours to replace/],
    ['that is not a process here', null, /version 9\.9\.9\) answers/],
  ])('%s is not ended: the client reports the reason and the next step', async (_what, more, reason) => {
    await listen(more)
    const { code, stderr } = await cli('ls')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(reason)
    expect(stderr).toContain('Install version 9.9.9 of agentpty here, or set AGENTPTY_HOME')
    expect(received).toEqual([])
    expect(existsSync(paths.lock)).toBe(false)
  })

  test('of this user on this machine, reached through its own socket, is replaced', async () => {
    await listen({})
    expect((await cli('ls')).code).toBe(0)
    expect(received.join('')).toContain('retire')
  })
})

test.each([
  ['an error', 'throw new Error("hunter2")'],
  ['a rejection', 'Promise.reject(new Error("hunter2"))'],
])('%s that is not handled ends the daemon with a reason that contains no secret', async (what, code) => {
  const hook = `data:text/javascript,process.on('SIGUSR2',()=>{${encodeURIComponent(code)}})`
  env = { ...env, NODE_OPTIONS: `--import=${hook}` }
  const { daemon } = JSON.parse((await cli('status', '--start', '--json')).stdout)
  process.kill(daemon.pid, 'SIGUSR2')
  await until(() => !processes().includes(daemon.pid))
  const { previous } = JSON.parse((await cli('status', '--start', '--json')).stdout)
  expect(previous).toMatchObject({ isOrderly: false, text: expect.stringContaining(`: ${what} that nothing handled`) })
  expect(previous.text).not.toContain('hunter2')
  expect(readFileSync(paths.log, 'utf8')).toContain('hunter2')
})
