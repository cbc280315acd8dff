import { expect, test } from 'vitest'
import { FakeClock } from './testing/fake-clock.ts'
import { changeBefore, pause, resultBefore } from './wait-until.ts'

test('the first of a change, a time and an abort ends a wait, and nothing of it is left', async () => {
  const clock = new FakeClock()
  const listeners = new Set<() => void>()
  const abort = new AbortController()
  const limits = { clock, latest: clock.now() + 100, signal: abort.signal }
  const changed = changeBefore(listeners, limits)
  for (const listener of listeners) listener()
  expect([await changed, listeners.size, clock.pending]).toEqual([true, 0, 0])
  const late = changeBefore(listeners, limits)
  clock.advance(100)
  expect([await late, listeners.size]).toEqual([false, 0])
  const aborted = changeBefore(listeners, limits)
  abort.abort()
  expect([await aborted, listeners.size, clock.pending]).toEqual([false, 0, 0])
  expect(await changeBefore(listeners, limits)).toBe(false)
})

test('work has its result or its error in time, and null later', async () => {
  const clock = new FakeClock()
  const limits = { clock, latest: clock.now() + 100 }
  expect(await resultBefore(Promise.resolve(1), limits)).toBe(1)
  await expect(resultBefore(Promise.reject(new Error('broken')), limits)).rejects.toThrow('broken')
  const late = resultBefore(new Promise(() => {}), limits)
  clock.advance(100)
  expect([await late, clock.pending]).toEqual([null, 0])
})

test('a pause ends in time, or with its signal', async () => {
  const clock = new FakeClock()
  const waiting = pause(clock, 50)
  clock.advance(50)
  await waiting
  await pause(clock, 50, AbortSignal.abort())
  expect(clock.pending).toBe(0)
})
