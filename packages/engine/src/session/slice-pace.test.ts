import assert from 'node:assert/strict'
import { parseSliceMicros, parseTurnMs, skimBytesMax } from '@agentpty/protocol'
import { test } from 'vitest'
import { SlicePace } from './slice-pace.ts'

const slice = (pace: SlicePace, begun: number, ms: number) => {
  pace.begin(begun)
  return pace.sliced(begun + ms)
}

test('the first slice is small, and slices grow while they take less than was guessed', () => {
  const pace = new SlicePace()
  assert.ok(pace.micros <= parseSliceMicros / 20)
  for (let count = 0; count < 6; count++) slice(pace, 1_000, 0)
  assert.equal(pace.micros, parseSliceMicros)
})

test('a slice that took longer than was guessed makes the next one smaller', () => {
  const pace = new SlicePace()
  for (let count = 0; count < 6; count++) slice(pace, 1_000, 0)
  assert.equal(slice(pace, 1_000, (4 * parseSliceMicros) / 1_000), true)
  assert.equal(pace.micros, parseSliceMicros / 4)
  assert.equal(slice(pace, 1_000, parseTurnMs / 8), false)
})

test('where nothing could be passed over, the next search comes the later the more was searched', () => {
  const slicesToSkim = (searched: number) => {
    const pace = new SlicePace()
    pace.skimmed(0, searched)
    for (let count = 0; ; count++) {
      if (pace.maySkim) return count
      slice(pace, 1_000, 0)
    }
  }
  assert.equal(slicesToSkim(skimBytesMax / 100), 1)
  assert.equal(slicesToSkim(skimBytesMax), 8)
})

test('where something was passed over, the next search may come at once', () => {
  const pace = new SlicePace()
  pace.skimmed(0, skimBytesMax)
  pace.skimmed(1_000, skimBytesMax)
  assert.equal(pace.maySkim, true)
})
