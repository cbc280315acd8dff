import { expect, test } from 'vitest'
import { CopyMode, type CopyOutcome, toClipboard } from './copy-mode.ts'

const screen = ['first', 'second line', 'wörld 💾 x', 'second again', '$'].join('\n')

function after(...keys: readonly string[]): { readonly outcome: CopyOutcome; readonly drawn: string } {
  const mode = new CopyMode(screen, { cols: 40, rows: 4 })
  let outcome: CopyOutcome = { kind: 'goes on' }
  for (const key of keys) outcome = mode.take(Buffer.from(key))
  return { outcome, drawn: mode.draw().replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, '|') }
}

const copied = (text: string): CopyOutcome => ({ kind: 'copied', text })

test.each<[string, readonly string[], CopyOutcome]>([
  ['without a mark the row is copied', ['k', '\r'], copied('second again')],
  ['from the mark to here, both with', ['k', ' ', 'l', 'l', 'l', 'l', 'l', 'y'], copied('second')],
  ['backwards too, and over rows', ['g', 'j', '$', ' ', 'g', '\r'], copied('first\nsecond line')],
  ['characters stay whole', ['/', 'w', '\r', 'v', '$', '\r'], copied('wörld 💾 x')],
  ['a search goes backwards', ['/', 'second', '\r', '\r'], copied('second again')],
  ['and on', ['/', 'second', '\r', 'n', '\r'], copied('second line')],
  ['and forwards again', ['/', 'second', '\r', 'n', 'N', '\r'], copied('second again')],
  ['what is typed wrong is taken back', ['/', 'fix', '\x7f', '\r', '\r'], copied('first')],
  ['a search is left without leaving', ['/', 'x', '\x1b'], { kind: 'goes on' }],
  ['arrows may come together', ['\x1b[A\x1b[A\x1bOA\r'], copied('second line')],
  ['no move goes beyond the ends', ['\x1b[5~', '\x1b[5~', 'k', 'h', '\r'], copied('first')],
  ['q leaves', ['q'], { kind: 'left' }],
  ['so does escape', ['\x1b'], { kind: 'left' }],
])('%s', (_what, keys, want) => {
  expect(after(...keys).outcome).toEqual(want)
})

test('copy mode begins at the end, and shows the position', () => {
  expect(after().drawn).toMatch(/second again.*\$.* copy 5\/5 /)
  expect(after('g').drawn).toMatch(/irst.* copy 1\/5 /)
  expect(after('/', 'no').drawn).toContain(' search: no')
  expect(after('/', 'nothing', '\r').drawn).toContain('not found: nothing')
})

test('the clipboard gets the text in base64', () => {
  expect(toClipboard('ä')).toBe('\x1b]52;c;w6Q=\x07')
})

const withCommands = (...keys: readonly string[]) => {
  const commands = [
    { row: 1, offset: 10, end: 20 },
    { row: 3, offset: 30, end: null },
  ]
  const mode = new CopyMode(screen, { cols: 100, rows: 4 }, commands)
  let outcome: CopyOutcome = { kind: 'goes on' }
  for (const key of keys) outcome = mode.take(Buffer.from(key))
  return { outcome, drawn: mode.draw().replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, '|') }
}

test('keys move from command to command, and o copies the output of the command at the cursor', () => {
  expect(withCommands('{', '\r').outcome).toEqual(copied('second again'))
  expect(withCommands('[', '{', '\r').outcome).toEqual(copied('second line'))
  expect(withCommands('g', '}', '}', '\r').outcome).toEqual(copied('second again'))
  expect(withCommands('k', 'k', 'o').outcome).toEqual({ kind: 'output', command: { row: 1, offset: 10, end: 20 } })
  expect(withCommands('g', 'o').drawn).toContain('no command is known here')
  expect(withCommands('{', '{', '{').drawn).toContain('this is the first command')
  expect(withCommands().drawn).toContain('{ }: commands   o: its output')
})
