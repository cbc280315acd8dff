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

const output = (from: number, count: number) => ({
  rows: Array.from({ length: count }, (_, at) => `line ${from + at}`),
  offsets: Array.from({ length: count }, (_, at) => (from + at) * 10),
  from: from * 10,
  next: (from + count) * 10,
  start: 0,
  end: 10_000,
})

const pressed = (mode: CopyMode, ...keys: readonly string[]): CopyOutcome => {
  let outcome: CopyOutcome = { kind: 'goes on' }
  for (const key of keys) outcome = mode.take(Buffer.from(key))
  return outcome
}
const bare = (mode: CopyMode) => mode.draw().replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, '')

test('a text that the rows do not have is sought in all kept output, from the cursor on', () => {
  const mode = new CopyMode(screen, { cols: 60, rows: 4 })
  const search = { query: 'line 5', ignoreCase: true, step: -1, at: null, rowsBelow: 0 }
  expect(pressed(mode, '?', 'line 5', '\r')).toEqual({ kind: 'search', search })
  expect(bare(mode)).toContain('searching all kept output')
  mode.show(output(40, 20), 500)
  expect(bare(mode)).toMatch(/line 49.*line 50.*line 51.* copy 5% of all kept output/s)
  expect(pressed(mode, 'N', '\r')).toEqual(copied('line 51'))
  expect(pressed(mode, 'n', 'n')).toEqual({ kind: 'search', search: { ...search, at: 500, rowsBelow: 9 } })
  mode.miss()
  expect(bare(mode)).toContain('not found: line 5')
  mode.fail('gone')
  expect(bare(mode)).toContain('not searched: gone')
})

test('matches in the visible rows are marked', () => {
  const mode = new CopyMode(screen, { cols: 40, rows: 4 })
  pressed(mode, '/', 'second', '\r', 'n')
  expect(mode.draw()).toContain('\x1b[0;30;43ms\x1b[0m\x1b[0;30;43me\x1b[0m')
})

test('further rows are needed near an end of those of the output, and move nothing that is visible', () => {
  const mode = new CopyMode(screen, { cols: 40, rows: 4 })
  expect(mode.needs).toBeNull()
  mode.show(output(40, 20), 500)
  expect(mode.needs).toBeNull()
  pressed(mode, '\x1b[5~', '\x1b[5~', '\x1b[5~')
  expect(mode.needs?.step).toBe(-1)
  const before = bare(mode)
  mode.extend(output(20, 40), -1)
  expect(bare(mode)).toBe(before)
  pressed(mode, 'G')
  expect(mode.needs?.step).toBe(1)
  mode.extend(output(20, 80), 1)
  expect(pressed(mode, 'G', '\r')).toEqual(copied('line 99'))
})
