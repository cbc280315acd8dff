import { requestsRememberedMax } from '@agentpty/protocol/agents'
import { expect, test } from 'vitest'
import type { Used } from './read-record.ts'
import { UsageSum } from './usage-sum.ts'

const always = { since: 0, until: Number.POSITIVE_INFINITY }
const used = (input: number, output: number, more: Partial<Used> = {}): Used => ({
  input,
  output,
  cached: 0,
  cost: null,
  counts: 'each',
  rule: 0,
  key: null,
  newest: null,
  ...more,
})
const say = (sum: UsageSum, at: number, one: Used) => sum.add({ at, models: ['m'], used: [one] })

test('without a report the usage is unknown, and a request that used nothing is known', () => {
  const sum = new UsageSum(always)
  sum.add({ at: 1, models: ['m'], used: [] })
  expect(sum.usage).toBeNull()
  say(sum, 2, used(0, 0))
  expect(sum.usage).toEqual({ input: 0, output: 0, cached: 0, costUsd: null, models: ['m'] })
})

test('of what is said of one request the last counts', () => {
  const sum = new UsageSum(always)
  say(sum, 1, used(10, 1, { key: 'a' }))
  say(sum, 1, used(10, 5, { key: 'a', cost: 0.5 }))
  say(sum, 2, used(1, 1, { key: 'b', cost: 0.25 }))
  expect(sum.usage).toMatchObject({ input: 11, output: 6, costUsd: 0.75 })
})

test('a repeated report of a request that is no longer remembered is not counted again', () => {
  const sum = new UsageSum(always)
  for (let one = 0; one <= requestsRememberedMax; one++) say(sum, one, used(1, 0, { key: `r${one}` }))
  say(sum, 0, used(1, 0, { key: 'r0' }))
  expect(sum.usage?.input).toBe(requestsRememberedMax + 1)
})

test('of totals what was added counts, and one that begins anew counts from zero', () => {
  const sum = new UsageSum({ since: 10, until: 40 })
  const total = (at: number, input: number, more: Partial<Used> = {}) =>
    say(sum, at, used(input, 0, { counts: 'total', ...more }))
  total(5, 100)
  total(20, 150)
  total(30, 20)
  total(50, 1_000)
  expect(sum.usage?.input).toBe(70)
})

test('a first total that has what others have used counts for what was added last', () => {
  const sum = new UsageSum(always)
  const newest = { input: 7, output: 1, cached: 0, cost: null }
  say(sum, 1, used(1_007, 101, { counts: 'total', newest }))
  expect(sum.usage).toMatchObject({ input: 7, output: 1 })
})
