import { expect, test } from 'vitest'
import { endedClientWords } from './session-names.ts'

test.each([
  [0, 'client ended less than 1 min ago'],
  [5 * 60_000, 'client ended 5 min ago'],
  [2 * 3_600_000, 'client ended 2 h ago'],
  [72 * 3_600_000, 'client ended 3 days ago'],
  [-5, 'client ended less than 1 min ago'],
])('%i ms after the end of the client it reads %j', (ms, words) => {
  expect(endedClientWords(1_000, 1_000 + ms)).toBe(words)
})
