import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { isPlainLines } from './plain-lines.ts'

test('lines are plain when they hold no control but tabs and line ends', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('\t', '\r', '\n', 'a', 'é', '中', '\u009b', '\u00a0'), fc.string()),
  })
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(isPlainLines(Buffer.from(text)), !/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(text))
    }),
    { numRuns: 1_000 },
  )
})

test('what may begin an 8-bit control at the end is not plain', () => {
  assert.equal(isPlainLines(Buffer.from([0x61, 0xc2])), false)
})
