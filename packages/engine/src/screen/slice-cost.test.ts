import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { sliceWithin } from './slice-cost.ts'

const size = { cols: 80, rows: 24 }
const lengthOf = (output: string, micros = 2_000) => sliceWithin(Buffer.from(output), micros, size)

test.each<[string, string]>([
  ['text', 'hello world\r\n'.repeat(1_000)],
  ['coloured text', '\x1b[31mhello\x1b[0m world, and more of it on the same line\r\n'.repeat(200)],
  ['nothing', ''],
])('%s is played in one go', (_what, output) => {
  assert.equal(lengthOf(output), output.length)
})

test.each<[string, string]>([
  ['resets', '\x1bc'],
  ['whole screens of E', '\x1b#8'],
  ['clears', '\x1b[2J'],
  ['changes to the alternate screen', '\x1b[?25;1049h'],
  ['inserted lines', '\x1b[1000L'],
])('%s are played a few at a time, each of them whole', (_what, sequence) => {
  const length = lengthOf(sequence.repeat(10_000))
  assert.equal(length % sequence.length, 0)
  expect(length / sequence.length).toBeLessThan(100)
})

test('something is always played, however much it costs', () => {
  assert.ok(lengthOf('\x1b[1000L\x1b[1000L', 1) > 0)
  assert.ok(lengthOf('x'.repeat(100), 0) > 0)
})
