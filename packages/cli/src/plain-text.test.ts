import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainText } from './plain-text.ts'

function plain(...pieces: readonly (string | Uint8Array)[]): string {
  const text = new PlainText()
  return pieces.map((piece) => text.push(Buffer.from(piece as string))).join('') + text.end()
}

test.each([
  ['colours', '\x1b[31mred\x1b[0m', 'red'],
  ['line ends of a terminal', 'a\r\nb\r\r\nc', 'a\nb\nc'],
  ['titles and marks', '\x1b]2;title\x07a\x1b]133;A\x1b\\b', 'ab'],
  ['a progress bar keeps its carriage returns', '10%\r20%\r\n', '10%\r20%\n'],
  ['modes and charsets', '\x1b[?2004h\x1b(Bx\x1b=\x1b>', 'x'],
  ['wide characters', '漢字 é', '漢字 é'],
])('%s', (_name, printed, want) => {
  expect(plain(printed)).toBe(want)
})

test('the text is the same however the bytes are split', () => {
  const printed = fc
    .array(
      fc.constantFrom('a', '漢', '\r\n', '\r', '\x1b[1;31m', '\x1b]0;t\x07', '\x1b]133;C\x1b\\', '\x1b(B', '\x1b7'),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(printed, (text) => {
      assert.equal(plain(...[...Buffer.from(text)].map((byte) => Uint8Array.of(byte))), plain(text))
    }),
  )
})

test('a sequence without an end does not block the output', () => {
  expect(plain(`\x1b]2;${'x'.repeat(20_000)}`, 'after').endsWith('after')).toBe(true)
})

test('bytes that are not UTF-8 are counted, however they are split', () => {
  const bytes = Buffer.from('caf\xe9 \xe2\x82\xac \xe2\x82', 'latin1')
  const whole = new PlainText()
  const cut = new PlainText()
  whole.push(bytes)
  for (const byte of bytes) cut.push(Uint8Array.of(byte))
  expect([whole.invalidBytes, cut.invalidBytes]).toEqual([1, 1])
  whole.end()
  cut.end()
  expect([whole.invalidBytes, cut.invalidBytes]).toEqual([3, 3])
})
