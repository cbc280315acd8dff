import assert from 'node:assert/strict'
import { columnsMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import {
  asksForKeyInTime,
  asksOnceMore,
  asksWithLabel,
  asksWithMark,
  cursorLine,
  endsAskingForKey,
  isMarkedQuestion,
  isPlainlyShell,
  isStatementPrompt,
  listsKeys,
  namesKeys,
  offersChoices,
  promptOf,
  promptShape,
  showsStars,
} from './prompt-shape.ts'

function lineAfter(output: string) {
  const log = new OutputLog({ capacityBytes: 10_000 })
  log.append(Buffer.from(output))
  return cursorLine(log)
}

test.each<[string, string, string]>([
  ['the last line is the text left of the cursor', 'one\r\ntwo$ ', 'two$ '],
  ['what was typed over is what was typed last', 'abc\rX', 'X'],
  ['colours and titles are no text', '\x1b]0;title\x07\x1b[1m> \x1b[0m', '> '],
  ['what sets up keys and pastes moves nothing', '\x1b[?2004h\x1b[?1h\x1b=$ \x1b[?25h', '$ '],
  ['what was erased up to the cursor is gone', 'abcdef\x1b[2D\x1b[1K', '    '],
])('%s', (_name, output, before) => {
  expect(lineAfter(output)).toMatchObject({ before, drawn: false })
})

test.each(['\x1b[999999999C', '\x1b[999999999G'])(
  'a cursor that is sent far away by %j stays where a screen ends',
  (move) => {
    const { before } = lineAfter(`${move}x`)
    assert.equal(before.trim(), 'x')
    assert.ok(before.length <= columnsMax + 1)
  },
)

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
  ['main[1] ', 'interpreter'],
  ['Thread-0[2] ', 'interpreter'],
  ['Jobs [4] ', 'question'],
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

/** Each test of a line, with lines of which it holds and lines of which it does not. */
test.each<[string, (line: string) => boolean, readonly string[], readonly string[]]>([
  [
    'a key in time',
    asksForKeyInTime,
    ['Hit any key to stop autoboot:  9 ', 'Press Esc to enter setup, booting in 3', 'Press F2 now (5 s)'],
    ['Step 3 of 9', 'pressing 12 pages', 'Press any key to continue'],
  ],
  [
    'a shell, in whichever program',
    isPlainlyShell,
    ['admin@edge1:~$ ', '[root@box ~]# ', '/ # ', '~ $ ', 'bash-5.2$ ', '/var/log # '],
    ['$ ', '# ', 'Price in $ ', 'shop=# ', 'box% '],
  ],
  [
    'a mark',
    asksWithMark,
    ['? Your site › ', '? Your site ‣ shop', '? Pick a colour … red', '? Your site › my-site', 'Name (optional) › '],
    ['> ', 'a › b › c', '›'],
  ],
  ['choices', offersChoices, ['? Use it? › No / Yes', 'Pick › a / b / c'], ['? Path › /usr/bin', '? Your site › x']],
  [
    'a question with a mark',
    isMarkedQuestion,
    ['? Write it (optional):', '? Which?'],
    ['✔ Which? yes', '? Name bob', 'a ? b:'],
  ],
  [
    'keys with names',
    namesKeys,
    ['press a to rerun, q to quit', ' Press Enter to go on', 'Use Ctrl-c to stop a run or exit.', 'hit q to leave'],
    ['press the button', 'express to x', 'reuse a to go'],
  ],
  [
    'a list of keys',
    listsKeys,
    [
      'Shall I record this change? (1/2) [ynW...], or ? for more options: ',
      'Stage this hunk [ynqad?]? ',
      'Delete (ynaq), ? for help: ',
      'Do you want to record these changes? [Yglqk...], or ? for more options: ',
    ],
    ['Go on? [y/n] ', 'Search [foo]: ', 'Synthesis [on]: '],
  ],
  [
    'a label',
    asksWithLabel,
    ['Name of the site: my-site', 'Theme (light, dark) [light]: ', 'Where to?', 'Größe: '],
    ['12:30', 'http://x: ', '│ Name: x', '> ', '* item', 'a: b: c', 'no question'],
  ],
  ['the same once more', asksOnceMore, ['Retype: ', 'Confirm PIN: ', 'Re-enter it: '], ['Confirmed: ', 'Name: ']],
  ['stars', showsStars, ['Code: **', 'PIN › •••', 'New? *'], ['Name: a*', '* item', '2 > *x']],
])('%s', (_name, holds, lines, others) => {
  expect(lines.filter((line) => !holds(line))).toEqual([])
  expect(others.filter(holds)).toEqual([])
})
