import { expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'

test.each<[string, string, string]>([
  ['frames go', '╭────╮\n│ hi │\n╰────╯\n+----+\n====', '│ hi │'],
  ['blank lines are at most two', 'a\n\n\n\n\nb', 'a\n\n\nb'],
  ['control characters go', 'a\x07b\x1b', 'ab'],
  ['tabs and lists stay', '\ta\n- b', '\ta\n- b'],
])('a cleaned screen: %s', (_name, text, want) => {
  expect(cleanText(text)).toBe(want)
})
