import assert from 'node:assert/strict'
import { momentsMax } from '@agentpty/protocol'
import { test } from 'vitest'
import { Timeline } from './timeline.ts'

const size = { cols: 80, rows: 24 }
const hourMs = 3_600_000

test('however long a program writes byte by byte, a bounded number of moments is kept, from its first byte to its last', () => {
  const timeline = new Timeline(size)
  let most = 0
  for (let byte = 0; byte < 300_000; byte += 1) {
    timeline.output(byte, byte * 20)
    if (byte % 1_000 === 0) most = Math.max(most, timeline.from(0).moments.length)
  }
  const { moments } = timeline.from(0)
  assert.ok(most <= momentsMax && moments.length > momentsMax / 4, `${most} at most, ${moments.length} at the end`)
  assert.deepEqual([moments[0]?.at, (moments.at(-1)?.at ?? 0) > 299_000 * 20], [0, true])
})

test('sizes that change without end are bounded as well', () => {
  const timeline = new Timeline(size)
  for (let at = 0; at < 100_000; at += 1) timeline.resized(at, at, { cols: 80 + (at % 2), rows: 24 })
  assert.ok(timeline.from(0).moments.length <= momentsMax)
})

test('a clock that is set back, and forward again, leaves the order of the times as it was', () => {
  const timeline = new Timeline(size)
  const start = 1_700_000_000_000
  const walls = [0, 1_000, 1_500 - 3 * hourMs, 3_000 - 3 * hourMs, 4_000 + hourMs, 5_000, 9_000 - 24 * hourMs]
  for (const [at, wall] of walls.entries()) timeline.output(at * 10, start + wall)
  const times = timeline.from(0).moments.map(({ at }) => at - start)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  // Output after the clock was set back keeps its distance.
  assert.equal((times[2] ?? 0) - (times[1] ?? 0), 1_500)
})
