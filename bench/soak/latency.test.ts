import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Latency } from './latency.ts'

test('the slowest of a hundred calls is the p99, and the middle one the p50', () => {
  const latency = new Latency()
  for (let ms = 100; ms > 0; ms -= 1) latency.note('read', ms)
  latency.note('send', 7)
  assert.equal(
    latency.table(),
    'read: 100 calls, p50 51.0 ms, p99 100.0 ms, at most 100.0 ms\nsend: 1 calls, p50 7.0 ms, p99 7.0 ms, at most 7.0 ms\n',
  )
})
