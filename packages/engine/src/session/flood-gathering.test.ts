import assert from 'node:assert/strict'
import {
  parseSliceMicros,
  parseTurnMs,
  skimBytesMax,
  skimGatherBytes,
  skimGatherMsMax,
  skimQuietMs,
} from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { FloodGathering, SlicePace } from './flood-gathering.ts'

const little = 100

function open() {
  const clock = new FakeClock()
  const log = new OutputLog({ capacityBytes: 8 << 20 })
  const seen = { calls: 0 }
  const gathering = new FloodGathering(clock, log, () => {
    seen.calls += 1
  })
  const comes = (bytes: number) => {
    log.append(new Uint8Array(bytes))
    gathering.grown()
  }
  return { clock, log, gathering, comes, seen }
}

function openFlood() {
  const flood = open()
  flood.gathering.skimmed(1_000_000)
  flood.comes(1_000)
  return flood
}

test('output waits for more only where what came before was passed over', () => {
  const { gathering, comes } = open()
  comes(1_000)
  assert.equal(gathering.waitsFrom(0, little), false)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), true)
  gathering.skimmed(0)
  assert.equal(gathering.waitsFrom(0, little), false)
})

test('a beginning that is small does not wait, and what waits already does', () => {
  const { gathering } = openFlood()
  assert.equal(gathering.waitsFrom(950, little), false)
  assert.equal(gathering.waitsFrom(0, little), true)
  assert.equal(gathering.waitsFrom(950, little), true)
})

test('it waits until there is enough', () => {
  const { gathering, comes } = openFlood()
  assert.equal(gathering.waitsFrom(0, little), true)
  comes(skimGatherBytes)
  assert.equal(gathering.waitsFrom(0, little), false)
})

test('it waits until nothing has come for a moment, and then not again before more comes', () => {
  const { clock, gathering, comes, seen } = openFlood()
  gathering.waitsFrom(0, little)
  clock.advance(skimQuietMs - 1)
  comes(1)
  clock.advance(skimQuietMs - 1)
  assert.equal(seen.calls, 0)
  clock.advance(skimQuietMs)
  assert.equal(seen.calls, 1)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), false)
  comes(1_000)
  assert.equal(gathering.waitsFrom(0, little), true)
})

test('it does not wait for long, however steadily little comes', () => {
  const { clock, gathering, comes, seen } = openFlood()
  gathering.waitsFrom(0, little)
  for (let ms = 0; ms < skimGatherMsMax; ms++) {
    comes(1)
    clock.advance(1)
  }
  assert.equal(seen.calls, 1)
})

test('it does not wait once no more can come', () => {
  const { clock, gathering, seen } = openFlood()
  gathering.waitsFrom(0, little)
  gathering.ended()
  assert.equal(seen.calls, 1)
  assert.equal(clock.pending, 0)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), false)
})

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

test('where something was passed over, the next search may come immediately', () => {
  const pace = new SlicePace()
  pace.skimmed(0, skimBytesMax)
  pace.skimmed(1_000, skimBytesMax)
  assert.equal(pace.maySkim, true)
})
