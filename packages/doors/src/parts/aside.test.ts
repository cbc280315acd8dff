import { expect, test } from 'vitest'
import { withBlanksOf } from './aside.ts'

test.each<[string, string, string, string]>([
  ['a prompt keeps its blank', '42\n>>>', '42\r\n>>> ', '42\n>>> '],
  ['a prompt that is drawn over another keeps its own', '$', 'x\r$ ', '$ '],
  ['a blank that came alone is kept', '', ' ', ' '],
  ['what ends without blanks stays', 'done', 'done', 'done'],
  ['what was printed and left out of the result brings no blanks', 'ok', 'typed ', 'ok'],
  ['a line that has ended has no blanks behind it', 'a', 'a \r\n', 'a'],
])('%s', (_what, output, printed, want) => {
  expect(withBlanksOf(output, printed)).toBe(want)
})
