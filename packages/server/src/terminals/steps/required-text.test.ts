import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requiredText } from './required-text.ts'

test.each<[string, string]>([
  ['needle', 'needle'],
  ['^error: \\d+ of', 'error: '],
  ['a\\.b\\(c', 'a.b(c'],
  ['colou?r', 'colo'],
  ['go+gle', 'gle'],
  ['ab{2,3}cdef', 'cdef'],
  ['(one|two) three', ' three'],
  ['[)|]more', 'more'],
  ['(?:a[)]|\\))word', 'word'],
  ['one|two', ''],
  ['\\x41bc', ''],
  ['a{x|b}', ''],
  ['\\d+', ''],
  ['💾?disk', 'disk'],
  ['é.ß', 'é'],
])('%s requires "%s"', (pattern, want) => {
  expect(requiredText(pattern, false)).toBe(want)
})

test('only ASCII letters are required where case does not count', () => {
  expect(requiredText('straße', true)).toBe('stra')
})

const atom = fc.oneof(
  fc.constantFrom('a', 'b', 'K', 'é', '💾', '.', '^', '$', '\\d', '\\b', '\\.', '[ab]', '[^a)]', ' '),
  fc.constantFrom('(a|b)', '(?:ab)', '(?=a)', '(?<!b)', '(a(b|[)])c)'),
)
const pattern = fc
  .array(fc.tuple(atom, fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '+?', '|')), { maxLength: 8 })
  .map((parts) => parts.map((part) => part.join('')).join(''))
const line = fc.array(fc.constantFrom('a', 'b', 'k', 'K', 'A', 'é', '💾', '.', '1', ' ', ')', 'c'), { maxLength: 12 })

test('each line that matches contains the required text', () => {
  fc.assert(
    fc.property(
      pattern,
      line.map((parts) => parts.join('')),
      fc.boolean(),
      (source, text, ignoreCase) => {
        let expression: RegExp
        try {
          expression = new RegExp(source, ignoreCase ? 'i' : '')
        } catch {
          // Not a regular expression, such as `^?` after a lookbehind.
          return
        }
        const required = requiredText(source, ignoreCase)
        const folded = (value: string) => (ignoreCase ? value.toLowerCase() : value)
        if (expression.test(text))
          assert.ok(folded(text).includes(folded(required)), `${source} in ${text}: ${required}`)
      },
    ),
    { numRuns: 20_000 },
  )
})
