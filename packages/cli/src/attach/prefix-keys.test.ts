import assert from 'node:assert/strict'
import { prefixPattern } from '@agentpty/protocol/home'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PrefixKeys, prefixByte } from './prefix-keys.ts'

function split(...pieces: readonly string[]): readonly string[] {
  const keys = new PrefixKeys(prefixByte('ctrl+]'))
  return pieces.flatMap((piece) =>
    keys.take(Buffer.from(piece)).map((one) => {
      if (one.kind === 'keys') return `keys ${JSON.stringify(Buffer.from(one.bytes).toString())}`
      return one.kind === 'command' ? `command ${one.key}` : 'prefix'
    }),
  )
}

test.each<[string, readonly string[], readonly string[]]>([
  ['what is typed is the program’s', ['ls\r'], ['keys "ls\\r"']],
  ['the key behind the prefix is ours', ['a\x1ddb'], ['keys "a"', 'prefix', 'command d', 'keys "b"']],
  ['also when it comes later', ['\x1d', 'd'], ['prefix', 'command d']],
  ['the prefix pressed twice is the program’s', ['\x1d\x1d'], ['prefix', 'keys "\\u001d"']],
])('%s', (_name, pieces, want) => {
  expect(split(...pieces)).toEqual(want)
})

test('keys are read alike however their bytes are split', () => {
  const typed = fc
    .array(fc.constantFrom('a', '\x1d', 'd', 'ä', '\x1b[A'), { maxLength: 12 })
    .map((keys) => keys.join(''))
  const joined = (list: readonly string[]) => list.join('').replaceAll('"keys "', '')
  fc.assert(
    fc.property(typed, (text) => {
      const bytes = Buffer.from(text)
      const whole = new PrefixKeys(prefixByte('ctrl+]')).take(bytes)
      const single = new PrefixKeys(prefixByte('ctrl+]'))
      const pieces = [...bytes].flatMap((byte) => single.take(Uint8Array.of(byte)))
      const sent = (list: readonly ReturnType<PrefixKeys['take']>[number][]) =>
        joined(
          list.map((one) =>
            one.kind === 'keys' ? `"keys "${Buffer.from(one.bytes).toString('hex')}` : `|${one.kind}|`,
          ),
        )
      assert.equal(sent(pieces), sent(whole))
    }),
  )
})

test.each([
  ['ctrl+]', 0x1d],
  ['ctrl+a', 0x01],
  ['ctrl+\\', 0x1c],
  ['ctrl+^', 0x1e],
])('%s is a prefix', (name, byte) => {
  expect([prefixPattern.test(name), prefixByte(name)]).toEqual([true, byte])
})

test.each(['ctrl+[', 'ctrl+m', 'ctrl+i', 'ctrl+j', 'a', 'alt+a', 'ctrl+ab', ''])('%j cannot be a prefix', (name) => {
  expect(prefixPattern.test(name)).toBe(false)
})
