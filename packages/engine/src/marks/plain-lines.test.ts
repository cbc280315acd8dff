import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { isPlainLines, isWholeLines } from './plain-lines.ts'

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

test.each([
  ['lines that end', 'one\r\ntwo\n\tthree', true],
  ['a line that is overwritten', '10%\r20%', false],
  ['a line end that is cut in two', 'one\r', false],
  ['a colour', '\x1b[1mone\r\n', false],
  ['an 8-bit control', 'one\u009b\r\n', false],
])('%s is distinguished from whole lines', (_what, text, isWhole) => {
  assert.equal(isWholeLines(Buffer.from(text)), isWhole)
})
