import { expect, test } from 'vitest'
import { endsAskingForKey, isStatementPrompt, promptOf, promptShape } from './prompt-shape.ts'

test.each([
  ['Lose changes to this file? (y,n,^C)?', true],
  ['Shall I pick a character for you? [ynq] ', true],
  ['kill-pane 1? (y/n)', true],
  ['Press any key to continue...', true],
  ['Press ENTER or type command to continue', true],
  ['Press any key to run again', true],
  ['Really quit? ', true],
  ['Create it? ([yes]/no): ', true],
  ['[Y]es, (N)o: ', true],
  ['what do you see? ', false],
  ['-- INSERT --', false],
  ['File  Edit  View', false],
  ['(gdb) ', false],
  ['Search [foo]: ', false],
])('%s', (before, asks) => {
  expect(endsAskingForKey(before)).toBe(asks)
})

test.each([
  ["    '> ", 'interpreter'],
  ['0] ', 'interpreter'],
  ['i1 : ', 'interpreter'],
  ['$ ', 'shell'],
  ['Really quit? ', 'question'],
  ['Waiting for data... (interrupt to abort)', 'text'],
])('%j has the shape of: %s', (before, shape) => {
  expect(promptShape(before)).toBe(shape)
})

test.each([
  ['... ', true],
  ['   ...: ', true],
  ['   ...> ', true],
  ['    -> ', true],
  ["    '> ", true],
  ['    /*> ', true],
  ['shop-# ', true],
  ['shop(> ', true],
  ['irb(main):002* ', true],
  ['irb(main):002:1" ', true],
  ['ghci| ', true],
  ['| ', true],
  ['+ ', true],
  ['>>> ', false],
  ['In [2]: ', false],
  ['sqlite> ', false],
  ['mysql> ', false],
  ['shop=# ', false],
  ['irb(main):002> ', false],
  ['ghci> ', false],
  ['> ', false],
  ['loading... ', false],
])('%j asks for the rest of a statement: %s', (before, asks) => {
  expect(isStatementPrompt(before)).toBe(asks)
})

test('a prompt that counts stays the same prompt', () => {
  expect(promptOf('In [12]: ')).toBe(promptOf('In [3]: '))
  expect(promptOf('pick> ')).not.toBe(promptOf('name> '))
})

test('a prompt that is still being drawn is another one', () => {
  expect(promptOf('Who?')).not.toBe(promptOf('Who? '))
})
