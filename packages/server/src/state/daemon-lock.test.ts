import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DaemonLock } from '@agentpty/protocol/home'
import { FakeClock } from '@agentpty/protocol/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepLock, readLock, releaseLock, socketOf, takeLock } from './daemon-lock.ts'
import { thisProcess } from './this-machine.ts'

const clock = new FakeClock()
const here = thisProcess(clock)
let folder: string
let path: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-lock-')))
  path = join(folder, 'state', 'daemon.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockOf = (more: Partial<DaemonLock> = {}): DaemonLock => ({
  ...here,
  startedAt: '1',
  socket: join(folder, 'daemon.sock'),
  hostSocket: join(folder, 'ptyhost.sock'),
  build: 'b',
  ...more,
})
/** No process has the largest pid. */
const gone = { pid: 4_194_304, startedAt: '0' }
const put = (text: string) => writeFileSync(path, text, { mode: 0o600 })

test('the first daemon gets the lock, and leaves none', async () => {
  const ours = lockOf()
  expect(await takeLock(path, ours, clock)).toEqual({ outcome: 'taken', left: null })
  expect(readLock(path)).toEqual(ours)
  releaseLock(path, ours)
  expect(readdirSync(join(folder, 'state'))).toEqual([])
})

test('the lock of a killed daemon is taken over and returned', async () => {
  await takeLock(path, lockOf(), clock)
  const left = lockOf(gone)
  put(JSON.stringify(left))
  expect(await takeLock(path, lockOf(), clock)).toEqual({ outcome: 'taken', left })
  expect(readdirSync(join(folder, 'state'))).toEqual(['daemon.lock'])
})

test('a torn lock is taken over', async () => {
  await takeLock(path, lockOf(), clock)
  put('{"machine":')
  expect(await takeLock(path, lockOf(), clock)).toEqual({ outcome: 'taken', left: null })
})

test('the lock of a daemon that listens is left alone', async () => {
  const server = createServer().listen(join(folder, 'daemon.sock'))
  try {
    const theirs = lockOf({ pid: process.ppid, processStart: '' })
    await takeLock(path, theirs, clock)
    expect(await takeLock(path, lockOf(), clock)).toEqual({ outcome: 'serving' })
    expect(readLock(path)).toEqual(theirs)
  } finally {
    server.close()
  }
})

test('the lock of another machine is refused with its name and the next move', async () => {
  const theirs = lockOf({ machine: { id: 'x', hostname: 'attic' }, boot: 'other' })
  await takeLock(path, theirs, clock)
  const refusal = {
    code: 'machine_unfit',
    message: expect.stringContaining('A daemon of the machine attic (pid'),
    hint: expect.stringContaining(`if attic is gone for good: rm ${path}`),
  }
  await expect(takeLock(path, lockOf(), clock)).rejects.toMatchObject(refusal)
  expect(readLock(path)).toEqual(theirs)
})

test('a lock that was removed is made again, and another daemon’s is recognized', async () => {
  const ours = lockOf()
  await takeLock(path, ours, clock)
  rmSync(path)
  expect(keepLock(path, ours)).toBe(true)
  expect(readLock(path)).toEqual(ours)
  put(JSON.stringify(lockOf({ startedAt: '2' })))
  expect(keepLock(path, ours)).toBe(false)
  releaseLock(path, ours)
  expect(existsSync(path)).toBe(true)
})

test('a state folder that was removed is not made again', () => {
  expect(keepLock(path, lockOf())).toBe(true)
  expect(existsSync(join(folder, 'state'))).toBe(false)
})

test('clients go by the socket in a lock of this boot, else by the usual one', async () => {
  const paths = { lock: path, daemonSocket: '/usual' }
  expect(socketOf(paths, here)).toBe('/usual')
  const socket = join(folder, 'elsewhere')
  writeFileSync(socket, '')
  await takeLock(path, lockOf({ socket }), clock)
  expect(socketOf(paths, here)).toBe(socket)
  put(JSON.stringify(lockOf({ socket, boot: 'other' })))
  expect(socketOf(paths, here)).toBe('/usual')
  put(JSON.stringify(lockOf({ socket: '/in/a/container' })))
  expect(socketOf(paths, here)).toBe('/usual')
})
