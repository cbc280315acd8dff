import { describe, expect, test } from 'vitest'
import {
  type DaemonEnd,
  type DaemonLock,
  describePreviousEnd,
  discoveryFiles,
  isSameBoot,
  judgeLock,
  type LockHolder,
  type LockState,
  parseLock,
} from './daemon-files.ts'

const here: LockHolder = {
  machine: { id: 'm1', hostname: 'here' },
  boot: 'boot-2',
  pidNamespace: 'pid:[1]',
  pid: 200,
  processStart: '20',
}
const lock: DaemonLock = {
  ...here,
  pid: 100,
  startedAt: '2026-01-01T00:00:00.000Z',
  socket: '/s/run/daemon.sock',
  hostSocket: '/s/run/ptyhost-1.sock',
  build: '1+a',
}
const elsewhere = { id: 'm2', hostname: 'there' }

test('a lock is read as it was written', () => {
  expect(parseLock(JSON.stringify(lock))).toEqual(lock)
})

test.each([
  '',
  '{"machine":',
  'null',
  '[]',
  '{}',
  JSON.stringify({ ...lock, pid: 0 }),
  JSON.stringify({ ...lock, socket: 7 }),
])('%j is no lock', (text) => expect(parseLock(text)).toBeNull())

describe('a lock', () => {
  test.each<[string, Partial<DaemonLock>, { listens?: boolean; runs?: boolean }, LockState]>([
    ['whose daemon listens is in use', {}, { listens: true }, 'serving'],
    ['whose daemon listens in another container is in use', { pidNamespace: 'pid:[2]' }, { listens: true }, 'serving'],
    ['of a killed daemon is stale', {}, {}, 'stale'],
    ['of a daemon that runs and cannot be reached is kept', {}, { runs: true }, 'unreachable'],
    ['of a container that is gone is stale', { pidNamespace: 'pid:[2]' }, {}, 'stale'],
    ['of a container that touches it is kept', { pidNamespace: 'pid:[2]' }, { runs: true }, 'unreachable'],
    ['of a container with another hostname is judged by its socket', { machine: elsewhere }, {}, 'stale'],
    ['of another boot is stale, whatever listens', { boot: 'boot-1' }, { listens: true, runs: true }, 'stale'],
    ['of another machine is foreign', { boot: 'boot-1', machine: elsewhere }, {}, 'foreign'],
    ['of this very process is stale', { pid: 200 }, { runs: true }, 'stale'],
  ])('%s', (_what, more, { listens = false, runs = false }, state) => {
    expect(judgeLock({ ...lock, ...more }, here, { listens, runs })).toBe(state)
  })
})

test('boot times of one machine may differ by the corrections of its clock', () => {
  const at = (boot: string, machine = here.machine) => ({ boot, machine })
  expect(isSameBoot(at('at 1000'), at('at 1030'))).toBe(true)
  expect(isSameBoot(at('at 1000'), at('at 2000'))).toBe(false)
  expect(isSameBoot(at('at 1000'), at('at 1000', { ...here.machine, hostname: 'renamed' }))).toBe(true)
  expect(isSameBoot(at('at 1000'), at('at 1000', elsewhere))).toBe(false)
  expect(isSameBoot(at('at 1000'), at('boot-1'))).toBe(false)
})

const end: DaemonEnd = {
  pid: 7,
  startedAt: 's',
  endedAt: 'e',
  reason: 'signal SIGTERM',
  isOrderly: true,
  hostSocket: '/h',
}
const call = { pid: 7, name: 'send', at: 't' }
const left = { pid: 7, isOtherBoot: false }
const killed = 'The previous daemon (pid 7) ended without a record; '

test('without a daemon before there is nothing to report', () => {
  expect(describePreviousEnd({ left: null, end: null, call: null })).toBeNull()
})

test('a recorded reason is reported, also when its lock was left', () => {
  const text = 'The previous daemon (pid 7) ended at e: signal SIGTERM.'
  expect(describePreviousEnd({ left: null, end, call })).toEqual({ isOrderly: true, text })
  expect(describePreviousEnd({ left, end, call })).toEqual({ isOrderly: true, text })
})

test('a killed daemon is reported with its last call, and not with that of another daemon', () => {
  const older = { ...end, pid: 6 }
  expect(describePreviousEnd({ left, end: older, call })).toEqual({
    isOrderly: false,
    text: `${killed}its last call was send at t.`,
  })
  expect(describePreviousEnd({ left, end: null, call: { ...call, pid: 6 } })?.text).toBe(
    `${killed}it had served no call.`,
  )
})

test('a restart of the machine is reported with it', () => {
  const text = `${killed}its last call was send at t. The machine has restarted since.`
  expect(describePreviousEnd({ left: { pid: 7, isOtherBoot: true }, end: null, call })?.text).toBe(text)
})

const [portFile, serverFile] = discoveryFiles('/home/ada')
const served = { port: 17_580, pid: 42, startedAt: '2026-01-01T00:00:00.000Z', version: '1.2.3' }

test('the port file is the plain number, the other one an object', () => {
  expect(portFile?.write(served)).toBe('17580')
  expect(JSON.parse(serverFile?.write(served) ?? '')).toEqual(served)
})

test.each<[string, string, number | null]>([
  ['a number', '17580', 17_580],
  ['a number and a line end', '17580\n', 17_580],
  ['nothing', '', null],
  ['zero', '0', null],
  ['more than a port can be', '70000', null],
  ['a number and more', '17580 evil.example', null],
  ['a fraction', '1.5', null],
])('a port file with %s is read as %j', (_what, text, port) => expect(portFile?.portIn(text)).toBe(port))

test.each<[string, number | null]>([
  ['{"port":80}', 80],
  ['{"port":"80"}', null],
  ['{"port":1e9}', null],
  ['[80]', null],
  ['{', null],
])('a server file of %j is read as %j', (text, port) => expect(serverFile?.portIn(text)).toBe(port))

test('only the server file contains the pid of its writer', () => {
  expect(serverFile?.pidIn(serverFile.write(served))).toBe(42)
  expect(portFile?.pidIn('42')).toBeNull()
})

test.each(['{"pid":"42"}', '{"pid":0}', '{"pid":-1}', '{"pid":1.5}', '{"pid":1e12}', '{'])(
  '%s names no process',
  (text) => expect(serverFile?.pidIn(text)).toBeNull(),
)
