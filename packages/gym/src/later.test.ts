import { expect, test } from 'vitest'
import { Later } from './later.ts'

/** Work that ends when the test ends it. */
function work() {
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  let hasBegun = false
  return {
    begin: () => {
      hasBegun = true
      return done
    },
    end,
    get hasBegun() {
      return hasBegun
    },
  }
}

test('deferred work waits for urgent work, and then runs two at a time', async () => {
  const later = new Later()
  const urgent = work()
  const first = work()
  const second = work()
  const third = work()
  const waiting = later.before(urgent.begin)
  const deferred = [first, second, third].map(({ begin }) => later.do(begin))
  expect([first, second, third].map(({ hasBegun }) => hasBegun)).toEqual([false, false, false])
  urgent.end()
  await waiting
  expect([first, second, third].map(({ hasBegun }) => hasBegun)).toEqual([true, true, false])
  second.end()
  await deferred[1]?.done
  await Promise.resolve()
  expect(third.hasBegun).toBe(true)
})

test('deferred work can be cancelled before it starts, and continues once started', async () => {
  const later = new Later()
  const urgent = work()
  const waiting = later.before(urgent.begin)
  const taken = work()
  const kept = work()
  const one = later.do(taken.begin)
  const other = later.do(kept.begin)
  expect(one.cancel()).toBe(true)
  urgent.end()
  await waiting
  expect([taken.hasBegun, kept.hasBegun]).toEqual([false, true])
  expect(other.cancel()).toBe(false)
})

test('a failure reaches its caller and holds up nothing', async () => {
  const later = new Later()
  const failing = later.do(() => Promise.reject(new Error('broken')))
  await expect(failing.done).rejects.toThrow('broken')
  await expect(later.before(() => Promise.reject(new Error('urgent')))).rejects.toThrow('urgent')
  expect(await later.do(async () => 'goes on').done).toBe('goes on')
})
