import { runsWaitingMax } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { RunLock, type RunLockOptions, type RunLockResult } from './run-lock.ts'

const openLock = () => {
  const clock = new FakeClock()
  const lock = new RunLock(clock)
  const acquire = (options: Partial<RunLockOptions> = {}) =>
    lock.acquire({ latest: clock.now() + 1_000, signal: undefined, isRefused: () => false, ...options })
  return { clock, lock, acquire }
}

function acquired(result: RunLockResult): () => void {
  if (result.outcome !== 'acquired') throw new Error(`not acquired: ${result.outcome}`)
  return result.release
}

test('one run has the lock, and the others follow in the order of their calls', async () => {
  const { clock, lock, acquire } = openLock()
  const order: number[] = []
  const first = acquired(await acquire())
  const others = [1, 2, 3].map(async (number) => {
    const release = acquired(await acquire())
    order.push(number)
    release()
  })
  expect([order, lock.isLocked]).toEqual([[], true])
  first()
  await Promise.all(others)
  expect([order, lock.isLocked, clock.pending]).toEqual([[1, 2, 3], false, 0])
})

test('a lock that is released twice is not taken from another run', async () => {
  const { lock, acquire } = openLock()
  const first = acquired(await acquire())
  const second = acquire()
  first()
  first()
  const release = acquired(await second)
  expect(lock.isLocked).toBe(true)
  release()
  expect(lock.isLocked).toBe(false)
})

test('a run whose time is over leaves the queue, and so does one whose call is cancelled', async () => {
  const { clock, acquire } = openLock()
  const first = acquired(await acquire())
  const call = new AbortController()
  const late = acquire()
  const cancelled = acquire({ signal: call.signal })
  const last = acquire({ latest: clock.now() + 5_000 })
  call.abort()
  expect(await cancelled).toEqual({ outcome: 'cancelled' })
  clock.advance(1_000)
  expect(await late).toEqual({ outcome: 'timeout' })
  first()
  acquired(await last)()
  expect(clock.pending).toBe(0)
})

test('a run with no time left, or whose call was cancelled before, does not wait', async () => {
  const { clock, lock, acquire } = openLock()
  expect(await acquire({ signal: AbortSignal.abort() })).toEqual({ outcome: 'cancelled' })
  expect(lock.isLocked).toBe(false)
  acquired(await acquire())
  expect(await acquire({ latest: clock.now() })).toEqual({ outcome: 'timeout' })
  expect(await acquire({ signal: AbortSignal.abort() })).toEqual({ outcome: 'cancelled' })
  expect(clock.pending).toBe(0)
})

test('a bounded number of runs waits', async () => {
  const { acquire } = openLock()
  acquired(await acquire())
  for (let waiting = 0; waiting < runsWaitingMax; waiting++) void acquire()
  expect(await acquire()).toEqual({ outcome: 'full' })
})

test('a run that may not type any more leaves the queue when the lease changes', async () => {
  const { lock, acquire } = openLock()
  const first = acquired(await acquire())
  let isRefused = false
  const agents = acquire({ isRefused: () => isRefused })
  const persons = acquire()
  lock.recheck()
  isRefused = true
  lock.recheck()
  expect(await agents).toEqual({ outcome: 'refused' })
  first()
  acquired(await persons)()
})

test('an engine that leaves the session leaves no timer', async () => {
  const { clock, lock, acquire } = openLock()
  acquired(await acquire())
  void acquire()
  lock.abandon()
  expect(clock.pending).toBe(0)
})
