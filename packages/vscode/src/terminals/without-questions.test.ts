import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WithoutQuestions } from './without-questions.ts'

const taken = (...pieces: readonly string[]): string => {
  const filter = new WithoutQuestions()
  return pieces.map((piece) => Buffer.from(filter.take(Buffer.from(piece))).toString()).join('')
}

test.each([
  ['its type', '\x1b[c'],
  ['its type, with a zero', '\x1b[>0c'],
  ['its status', '\x1b[5n'],
  ['the cursor position', '\x1b[6n'],
  ['a mode', '\x1b[?2026$p'],
  ['its size', '\x1b[18t'],
  ['its version', '\x1b[>q'],
  ['its keyboard', '\x1b[?u'],
  ['a setting', '\x1bP$qm\x1b\\'],
  ['a capability', '\x1bP+q544e\x1b\\'],
  ['its background', '\x1b]11;?\x07'],
  ['a colour of the palette', '\x1b]4;1;?\x1b\\'],
  ['the clipboard', '\x1b]52;c;?\x07'],
])('a question for %s is not drawn', (_, question) => {
  expect(taken(`before${question}after`)).toBe('beforeafter')
})

test.each([
  ['colours', '\x1b[31mred\x1b[0m'],
  ['a title', '\x1b]0;title\x07'],
  ['a colour that is set', '\x1b]11;#000000\x07'],
  ['a cursor that moves', '\x1b[6;7H'],
  ['a cursor’s shape', '\x1b[2 q'],
  ['a keyboard that is set', '\x1b[>1u'],
  ['a mark of a command', '\x1b]133;C\x1b\\'],
  ['a sequence that was given up', '\x1b[3\x18text'],
])('%s is drawn', (_, text) => {
  expect(taken(text, 'x')).toBe(`${text}x`)
})

test('the result is the same for any division of the output', () => {
  const part = fc.constantFrom(
    'a',
    '\x1b[c',
    '\x1b[1m',
    '\x1b]11;?\x07',
    '\x1bP$qm\x1b\\',
    '\x1b]0;t\x07',
    'é',
    '\x18',
    '\x1b',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(40), { maxLength: 6 }), (parts, cuts) => {
      const text = `${parts.join('')}\x18end`
      const bytes = Buffer.from(text)
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const filter = new WithoutQuestions()
      const pieces = at.slice(1).map((end, index) => filter.take(bytes.subarray(at[index], end)))
      expect(Buffer.concat(pieces).toString()).toBe(taken(text))
    }),
  )
})

test('a string of any length is drawn as it arrives, and its end is found', () => {
  const long = `\x1b]1337;File=:${'A'.repeat(100_000)}`
  expect(taken(long, '\x07after')).toBe(`${long}\x07after`)
})
