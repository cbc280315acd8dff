import { stat } from 'node:fs'
import { expect, test } from 'vitest'
import { systemClock } from './system-clock.ts'

const until = (at: number) => {
  while (systemClock.now() < at);
}

test('after a stall, what has arrived meanwhile comes before a timer that is late', async () => {
  const order: string[] = []
  const now = systemClock.now()
  const late = new Promise<void>((resolve) => {
    systemClock.callAt(now + 1, () => resolve(void order.push('timer')))
  })
  stat('.', () => void order.push('input'))
  until(now + 60)
  await late
  expect(order).toEqual(['input', 'timer'])
})

test('a late timer that is stopped meanwhile does not call', async () => {
  const now = systemClock.now()
  let isCalled = false
  const stop = systemClock.callAt(now + 1, () => {
    isCalled = true
  })
  const read = new Promise<void>((resolve) => {
    stat('.', () => resolve(stop()))
  })
  until(now + 60)
  await read
  await new Promise<void>((resolve) => void systemClock.callAt(systemClock.now() + 5, resolve))
  expect(isCalled).toBe(false)
})
