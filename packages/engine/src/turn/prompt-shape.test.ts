import { expect, test } from 'vitest'
import {
  asksForAnyKey,
  asksForCode,
  asksForKeyInTime,
  asksForSecret,
  asksOnceMore,
  asksYesOrNo,
  endsAskingForKey,
  isMeter,
  listsKeys,
  namesKeys,
  showsStars,
} from './asked-input.ts'
import {
  asksWithLabel,
  asksWithMark,
  isMarkedQuestion,
  isPickList,
  isPickListAgain,
  isPlainlyShell,
  isStatementPrompt,
  listsOptions,
  offersChoices,
  promptOf,
  promptShape,
} from './prompt-shape.ts'

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
    [
      'Hit any key to stop autoboot:  9 ',
      'Press Esc to enter setup, booting in 3',
      'Press F2 now (5 s)',
      'Booting in 9 s, press a key for the menu ',
      'Starting in 5 seconds, hit Enter to skip',
    ],
    [
      'Step 3 of 9',
      'pressing 12 pages',
      'Press any key to continue',
      'Next try in 5 s, press Ctrl+C to quit',
      'Next try in 5 s, press Esc to cancel',
    ],
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
  [
    'a secret',
    asksForSecret,
    [
      'Please enter user PIN: ',
      'Please reenter SO PIN: ',
      "User's passphrase: ",
      'Login password for bob: ',
      'Enter passphrase for key /home/bob/.ssh/id: ',
      "Password for 'https://bob@host:8080': ",
      '? Token: [input is hidden]',
      'PIN: ••',
    ],
    [
      'Username for the token: ',
      'Username (not the PIN): ',
      'Login: ',
      'Zip code: ',
      'Exit code: ',
      'Password length [20]: ',
      'Path of the token file: ',
      'Token name: ',
      'Spin: ',
      'API key: a',
      'API key: abc',
      '? Password › abc',
    ],
  ],
  [
    'a code',
    asksForCode,
    [
      'One-time code: ',
      'OTP: ',
      'Code: ',
      'Enter your code: **',
      'Code from your phone: ',
      'Enter the 6-digit code from your authenticator app: ',
      'Two-factor code › ',
    ],
    ['Zip code: ', 'Exit code: ', 'Code? ', 'Code: 12', 'One-time code: 123', 'Scan the code'],
  ],
  ['the same once more', asksOnceMore, ['Retype: ', 'Confirm PIN: ', 'Re-enter it: '], ['Confirmed: ', 'Name: ']],
  [
    'one of several keys',
    asksForAnyKey,
    ['Press one of m, c, s, b: ', 'Press y or n: ', 'Hit [a], [b] or Esc.', 'press any key'],
    ['Press y or n, then Enter: ', 'press the button: ', 'Pick one of a, b: '],
  ],
  ['one letter for yes or no', asksYesOrNo, ['Go on? (y/n) ', 'Go on [y/n]: '], ['Go on? (y/N) ', 'y/n> ', '(Y/n)']],
  ['stars', showsStars, ['Code: **', 'PIN › •••', 'New? *'], ['Name: a*', '* item', '2 > *x']],
])('%s', (_name, holds, lines, others) => {
  expect(lines.filter((line) => !holds(line))).toEqual([])
  expect(others.filter(holds)).toEqual([])
})

test('a meter is a bar with room behind the cursor', () => {
  expect(isMeter('|', '|        |')).toBe(true)
  expect(isMeter('[###', '[###     ]')).toBe(true)
  expect(isMeter('[###', '[###')).toBe(false)
  expect(isMeter('| Name: ', '| Name:      |')).toBe(false)
})

test.each<[string, boolean, readonly string[]]>([
  ['a question and items, one of them with a pointer', true, ['  large', '❯ small', '? Size']],
  ['the same below a colon', true, ['  large', '  small', '› none', 'Choose a size:']],
  ['tests below the suite that runs', false, ['   ✓ adds', ' ❯ sums (2)', 'RUN v1']],
  ['tests below a heading', false, ['  subtracts', '❯ adds', 'Tests:']],
  ['tasks without a question', false, ['  Install', '❯ Fetch', 'Tasks']],
  ['items at other columns', false, ['      large', '❯ small', '? Size']],
  ['one item', false, ['❯ small', '? Size']],
])('a list from which keys choose: %s', (_name, picks, lines) => {
  expect(isPickList(lines)).toBe(picks)
})

test('a list that is drawn again has no question above it', () => {
  expect(isPickListAgain(['  large', '❯ small', '  none'])).toBe(true)
  expect(isPickListAgain(['done', '  large', '❯ small', '  none'])).toBe(false)
})

test.each<[string, boolean, readonly string[]]>([
  ['letters below a question', true, ['', '  b. south', '  a. north', 'Which zone?']],
  ['numbers in brackets', true, ['[2] south', '[1] north', 'Pick one:']],
  ['numbered results', false, ['2. south', '1. north', '2 results']],
  ['one line with a number', false, ['1. north', 'Which?']],
])('options of which a line names one: %s', (_name, lists, lines) => {
  expect(listsOptions(lines)).toBe(lists)
})
