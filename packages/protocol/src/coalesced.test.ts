import { expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

test('runs once for all calls that come together, and again for a later one', async () => {
  let runs = 0
  const soon = coalesced(() => {
    runs += 1
    if (runs === 2) soon()
  })
  soon()
  soon()
  expect(runs).toBe(0)
  await Promise.resolve()
  expect(runs).toBe(1)
  soon()
  await Promise.resolve()
  await Promise.resolve()
  expect(runs, 'a call made while it runs is not lost').toBe(3)
})
