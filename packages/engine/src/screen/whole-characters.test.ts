import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { WholeCharacters } from './whole-characters.ts'

test('what is let through never ends inside a character, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 1, max: 3 })), (text, lengths) => {
      const whole = Buffer.from(text)
      const characters = new WholeCharacters()
      let shown = ''
      let at = 0
      for (const length of [...lengths, whole.length]) {
        shown += Buffer.from(characters.take(whole.subarray(at, at + length))).toString()
        at += length
      }
      assert.equal(shown, whole.toString())
    }),
  )
})

for (const [name, bytes, want] of [
  ['a lone continuation byte', [0x61, 0x80], 'a\ufffd'],
  ['a byte that begins nothing', [0x61, 0xff], 'a\ufffd'],
  ['three continuation bytes', [0x80, 0x80, 0x80], '\ufffd\ufffd\ufffd'],
  ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x20], 'caf\ufffd '],
  ['a beginning, which waits', [0x61, 0xf0, 0x9f, 0x91], 'a'],
] as const) {
  test(`${name} is shown as it can be`, () => {
    assert.equal(Buffer.from(new WholeCharacters().take(Uint8Array.from(bytes))).toString(), want)
  })
}

test('any bytes are shown the same, however they are cut', () => {
  const pieces = fc.constantFrom('a', 'é', '一', '👩').map((text) => [...Buffer.from(text)])
  const bytes = fc.array(
    fc.oneof(
      pieces,
      fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
    ),
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.integer({ min: 1, max: 3 })), (parts, lengths) => {
      const all = Uint8Array.from([...parts.flat(), 0x0a])
      const characters = new WholeCharacters()
      let shown = ''
      let at = 0
      for (const length of [...lengths, all.length]) {
        shown += Buffer.from(characters.take(all.subarray(at, at + length))).toString()
        at += length
      }
      assert.equal(shown, new TextDecoder('utf-8', { ignoreBOM: true }).decode(all))
    }),
  )
})
