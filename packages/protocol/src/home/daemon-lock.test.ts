import { describe, expect, test } from 'vitest'
import { type DaemonLock, isSameBoot, judgeLock, type LockHolder, type LockState, parseLock } from './daemon-lock.ts'

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
