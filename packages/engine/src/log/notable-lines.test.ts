import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { findNotableLines, notableCharactersMax } from './notable-lines.ts'

const find = (source: string, limit = 8): unknown => findNotableLines(Buffer.from(source), limit)

for (const [name, source, want] of [
  ['nothing notable', 'fine\nalso fine\n', []],
  ['a line with its offset', 'ok\nError: no\nok', [{ text: 'Error: no', offset: 3 }]],
  ['escapes are gone', 'ok\r\n\x1b[1;31mFATAL\x1b[0m: é\r\n', [{ text: 'FATAL: é', offset: 4 }]],
  ['the word in a title only', '\x1b]2;error\x07fine\n', []],
  [
    'a line counts once',
    'error error\nwarning\n',
    [
      { text: 'error error', offset: 0 },
      { text: 'warning', offset: 12 },
    ],
  ],
  ['a state of a progress bar', '1%\rfailed\r2%\n', [{ text: 'failed', offset: 3 }]],
] as const) {
  test(name, () => assert.deepEqual(find(source), want))
}

test('the first ones are given, up to the limit', () => {
  assert.deepEqual(find('panic\n'.repeat(20), 2), [
    { text: 'panic', offset: 0 },
    { text: 'panic', offset: 6 },
  ])
})

test('of a very long line, the part with the word is shown', () => {
  const [line] = findNotableLines(Buffer.from(`${'é'.repeat(5_000)} exception ${'x'.repeat(5_000)}`), 8)
  assert.ok(line?.text.includes('exception'))
  assert.ok((line?.text.length ?? 0) <= notableCharactersMax)
  assert.ok(!line?.text.includes('\ufffd'))
})

test('any bytes are searched, and every line has its word', () => {
  const piece = fc.oneof(fc.constantFrom('error', '\n', '\x1b[31m', '\x1b]', 'é', '\r'), fc.string())
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      for (const { text } of findNotableLines(Buffer.from(pieces.join('')), 5)) assert.match(text, /error|\w/i)
    }),
  )
})

test('eight megabytes are searched fast', () => {
  const source = Buffer.from('compiling module number 12345 of many modules\n'.repeat(180_000))
  const before = process.cpuUsage().user
  assert.deepEqual(findNotableLines(source, 8), [])
  assert.ok(process.cpuUsage().user - before < 500_000)
})
