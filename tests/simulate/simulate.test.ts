import assert from 'node:assert/strict'
import { OutputLog } from '@agentpty/engine/log'
import { Waiter } from '@agentpty/engine/testing'
import { Inboxes } from '@agentpty/server/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { shrink } from '../harness/shrink.ts'
import type { Invariant } from './broken.ts'
import { simulate } from './run.ts'
import { stampAt, stampsIn } from './stamps.ts'
import { drawSteps, type Step, withMessages } from './steps.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([1, 2, 3, 15, 99, 147, 178, 217, 367])('all invariants hold in the run of seed %i', async (seed) => {
  const { failure } = await simulate(seed, drawSteps(seed, 300))
  assert.equal(failure, null)
})

test.each([1, 2, 3, 4, 5, 6])('all invariants hold with messages in between in the run of seed %i', async (seed) => {
  const { failure } = await simulate(seed, withMessages(seed, drawSteps(seed, 300)))
  assert.equal(failure, null)
})

test('the same seed gives the same run, bit by bit', async () => {
  const run = () => simulate(7, drawSteps(7, 300))
  const first = await run()
  const second = await run()
  assert.deepEqual(first.trace, second.trace)
  assert.equal(first.fingerprint, second.fingerprint)
  assert.notEqual((await simulate(8, drawSteps(8, 300))).fingerprint, first.fingerprint)
})

/** A message that is not recorded before it is typed is typed again after a restart, or taken meanwhile. */
test('a message that could arrive twice is found', async () => {
  vi.spyOn(Inboxes.prototype, 'beginTyping').mockImplementation(() => {})
  assert.equal(await found(40, withMessages), 'messages')
})

/** The first violation in some runs of an engine with an injected defect. */
async function found(seeds = 5, among = (_seed: number, steps: readonly Step[]) => steps): Promise<Invariant | null> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await simulate(seed, among(seed, drawSteps(seed, 200)))
    if (failure !== null) return failure.invariant
  }
  return null
}

test('a log that returns a wrong byte is found', async () => {
  const read = OutputLog.prototype.read
  vi.spyOn(OutputLog.prototype, 'read').mockImplementation(function (this: OutputLog, range) {
    const slice = read.call(this, range)
    if (slice.bytes.length > 100) slice.bytes[50] = 0
    return slice
  })
  assert.equal(await found(), 'meaning')
})

test('a log that does not state its evictions is found', async () => {
  const read = OutputLog.prototype.read
  vi.spyOn(OutputLog.prototype, 'read').mockImplementation(function (this: OutputLog, range) {
    return { ...read.call(this, range), missedBytes: 0 }
  })
  expect(['chain', 'evicted']).toContain(await found())
})

test('a wait that is never checked again is found', async () => {
  const recheck = Waiter.prototype.recheck
  const checked = new WeakSet<Waiter>()
  vi.spyOn(Waiter.prototype, 'recheck').mockImplementation(function (this: Waiter) {
    if (!checked.has(this)) recheck.call(this)
    checked.add(this)
  })
  assert.equal(await found(), 'settles')
})

test('relevant steps stay, and the others are removed', async () => {
  const steps = Array.from({ length: 100 }, (_, index) => index)
  const fails = async (left: readonly number[]) => [13, 14, 77].every((step) => left.includes(step))
  assert.deepEqual(await shrink(steps, fails, 1_000), [13, 14, 77])
})

test('a stamp states its offset, and half of one is ignored', () => {
  const text = `${stampAt(0)} ${stampAt(1_234)}`
  assert.deepEqual(
    stampsIn(text).map(({ offset }) => offset),
    [0, 1_234],
  )
  assert.deepEqual(stampsIn(text.replace('<o12', '<o13')), [{ offset: 0, end: stampAt(0).length }])
})
