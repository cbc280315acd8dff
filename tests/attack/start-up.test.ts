/** Obstacles that prevent a daemon from starting are named in an error, in time; without them the daemon starts. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { systemClock } from '@agentpty/engine/system-clock'
import { connectDaemon } from '@agentpty/server/daemon'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
  mkdirSync(instance.paths.runFolder, { mode: 0o700 })
})

test.each<[string, (path: string) => void, RegExp]>([
  ['a folder', (path) => mkdirSync(path), /daemon\.sock is a folder/],
  ['a file', (path) => writeFileSync(path, 'mine'), /daemon\.sock is a file/],
  ['a link', (path) => symlinkSync('/nowhere', path), /daemon\.sock is a link/],
])('%s in place of the socket is named and left alone, and no process remains', async (_what, put, message) => {
  const { daemonSocket } = instance.paths
  put(daemonSocket)
  const { code, stderr } = await instance.cli('ls')
  assert.notEqual(code, 0)
  expect(stderr).toMatch(message)
  expect(stderr).toContain(`rm -r ${daemonSocket}`)
  await until(() => daemons().length === 0)
  expect(daemons()).toEqual([])
  rmSync(daemonSocket, { recursive: true })
  expect((await instance.cli('ls')).code).toBe(0)
})

test('an unwritable home is named', async () => {
  const file = instance.paths.log
  mkdirSync(file)
  const { code, stderr } = await instance.cli('ls')
  assert.notEqual(code, 0)
  expect(stderr).toContain(file)
  rmSync(file, { recursive: true })
  expect((await instance.cli('ls')).code).toBe(0)
})

test('a daemon that fails after taking ptyhost releases it', async () => {
  // It reads this file after it has ptyhost, and before it listens.
  mkdirSync(instance.paths.lastId)
  for (let round = 0; round < 2; round++) {
    const { code, stderr } = await instance.cli('ls')
    assert.notEqual(code, 0)
    expect(stderr).toContain(instance.paths.lastId)
  }
  rmSync(instance.paths.lastId, { recursive: true })
  expect((await instance.cli('ls')).code).toBe(0)
  expect(readFileSync(instance.paths.log, 'utf8')).toContain('The daemon does not start: ')
})

test.each<[string, () => void]>([
  ['socket', () => rmSync(instance.paths.daemonSocket)],
  ['folder with its sockets', () => rmSync(instance.paths.runFolder, { recursive: true })],
])('a daemon whose %s is removed creates it again, without an effect on connected clients', async (_what, remove) => {
  const before = await instance.rpc()
  const { terminalId } = await before.call('create', { command: ['cat'] })
  const { pid } = (await instance.status()).daemon
  remove()
  await until(() => existsSync(instance.paths.daemonSocket))
  expect((await instance.status()).daemon.pid).toBe(pid)
  expect((await (await instance.rpc()).call('list', {})).terminals).toMatchObject([{ terminalId }])
  expect((await before.call('send', { terminalId, text: 'ping' })).output).toContain('ping')
  expect(statSync(instance.paths.daemonSocket).mode & 0o777).toBe(0o600)
})

test('a client that arrives without a socket finds the same daemon', async () => {
  const { pid } = (await instance.status()).daemon
  rmSync(instance.paths.daemonSocket)
  expect((await instance.status()).daemon.pid).toBe(pid)
})

test('a silent listener at the daemon’s socket is waited for with a message, then replaced', async () => {
  const mute = createServer((socket) => void socket.resume()).listen(instance.paths.daemonSocket)
  await once(mute, 'listening')
  const { code, stderr } = await instance.cli('ls')
  expect([code, stderr]).toEqual([0, expect.stringContaining('still waiting')])
  mute.close()
  await until(() => existsSync(instance.paths.daemonSocket))
  expect((await instance.cli('ls')).code).toBe(0)
})

test('a silent listener at ptyhost’s socket is named', async () => {
  const mute = createServer((socket) => void socket.resume()).listen(instance.paths.hostSocket)
  await once(mute, 'listening')
  const { code, stderr } = await instance.cli('ls')
  assert.notEqual(code, 0)
  expect(stderr).toContain(`Who listens at ${instance.paths.hostSocket} does not answer`)
  mute.close()
  await once(mute, 'close')
  expect((await instance.cli('ls')).code).toBe(0)
})

test('a stopped daemon is named to a client that may not start another one', async () => {
  const { pid } = (await instance.status()).daemon
  process.kill(pid, 'SIGSTOP')
  const options = { clock: systemClock, paths: instance.paths, command: [], build: '', mayStart: false }
  const silent = `takes connections at ${instance.paths.daemonSocket} and does not answer`
  const stopping = instance.cli('stop')
  const asked = connectDaemon(options, { face: 'rpc', client: 'test', cwd: '/', env: {} })
  await expect(asked).rejects.toThrow(silent)
  // The command line knows the daemon's process, and how to continue it.
  expect(await stopping).toMatchObject({ code: 3, stderr: expect.stringContaining(`kill -CONT ${pid}`) })
  process.kill(pid, 'SIGCONT')
  expect((await instance.status()).daemon.pid).toBe(pid)
})

test('a full disk is reported, and everything continues after it has space again', async () => {
  const full = await limited('ulimit -f 0')
  assert.notEqual(full.code, 0)
  expect(full.stderr).not.toBe('')
  expect((await instance.cli('ls')).code).toBe(0)
})

/** Runs `agentpty ls` under limits. A file of size zero stands for a full disk. */
async function limited(limits: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child: ChildProcess = spawn(
    'bash',
    ['-c', `trap '' XFSZ; ${limits}; exec "$0" "$1" ls`, process.execPath, program],
    {
      env: { ...instance.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes))
  const [code] = await once(child, 'close')
  return { code, stderr }
}

function daemons(): readonly number[] {
  return instance.processes().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0daemon'))
}
