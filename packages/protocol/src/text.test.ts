import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeCharacters } from './text.ts'

test('text that is cut anywhere keeps its whole characters, genuine replacement characters too', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '世', '😀', '\uFFFD') }), fc.nat(), (text, cut) => {
      const bytes = Buffer.from(text)
      const end = cut % (bytes.length + 1)
      let whole = ''
      for (const character of text) {
        if (Buffer.byteLength(whole + character) > end) break
        whole += character
      }
      expect(Buffer.from(wholeCharacters(bytes.subarray(0, end))).toString()).toBe(whole)
    }),
  )
})

test('bytes that are no characters stay', () => {
  const bytes = Uint8Array.from([0x80, 0x80, 0x80, 0x80])
  expect(wholeCharacters(bytes)).toEqual(bytes)
})
