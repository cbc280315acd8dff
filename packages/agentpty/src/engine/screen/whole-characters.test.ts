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
  ['a lone continuation byte', [0x61, 0x80], 2],
  ['a byte that begins nothing', [0x61, 0xff], 2],
  ['three continuation bytes', [0x80, 0x80, 0x80], 3],
  ['a beginning', [0x61, 0xf0, 0x9f, 0x91], 1],
] as const) {
  test(`${name}: ${want} bytes are let through`, () => {
    assert.equal(new WholeCharacters().take(Uint8Array.from(bytes)).length, want)
  })
}
