import { expect, test } from 'vitest'
import { endsAskingForKey } from './prompt-shape.ts'

test.each([
  ['Lose changes to this file? (y,n,^C)?', true],
  ['Shall I pick a character for you? [ynq] ', true],
  ['kill-pane 1? (y/n)', true],
  ['Press any key to continue...', true],
  ['Press ENTER or type command to continue', true],
  ['-- INSERT --', false],
  ['File  Edit  View', false],
  ['(gdb) ', false],
  ['Search [foo]: ', false],
])('%s', (before, asks) => {
  expect(endsAskingForKey(before)).toBe(asks)
})
