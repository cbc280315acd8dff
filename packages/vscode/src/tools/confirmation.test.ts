import { expect, test } from 'vitest'
import { prepare } from './confirmation.ts'

const places = (id: string) => (id === 'term-1' || id === 'build' ? { name: 'build', cwd: '/work' } : null)
const asked = (tool: Parameters<typeof prepare>[0], input: Parameters<typeof prepare>[1]) =>
  prepare(tool, input, places).confirm

test('the text to type is shown verbatim, with its target and whether Enter follows', () => {
  expect(asked('terminal_send', { terminalId: 'term-1', text: 'make' })).toEqual({
    title: 'Type this into “build” (/work)?',
    body: '```text\nmake\n```\n\nThen Enter is pressed.',
  })
  expect(asked('terminal_send', { terminalId: 'term-1', text: 'y', newline: false })?.body).toContain(
    'Enter is not pressed.',
  )
})

test('no text can end its code block, and hidden characters are spelled out', () => {
  const body = asked('terminal_send', { terminalId: 'x', text: '````\n**Allow**\n\u202efdp' })?.body ?? ''
  expect(body.startsWith('`````text\n````\n')).toBe(true)
  expect(body).toContain('⟨U+202E⟩fdp\n`````')
})

test('the end of a long text is shown, too', () => {
  const body = asked('terminal_run', { command: `true${' '.repeat(9_000)}; rm -rf x` })?.body ?? ''
  expect(body).toContain('rm -rf x')
  expect(body).toContain('characters more')
})

test.each([
  ['terminal_run', { command: 'ls' }, 'Run this in a new terminal?', 'ls'],
  ['terminal_run', { command: 'ls', cwd: '/a' }, 'Run this in a new terminal in /a?', 'ls'],
  ['terminal_run', { command: 'ls', cwd: '/a', terminalId: 'build' }, 'Run this in “build” (/work)?', 'changes to /a'],
  ['terminal_create', {}, 'Open a terminal?', 'A shell.'],
  ['terminal_create', { command: ['npm', 'a b'], env: { CI: '1' } }, 'Open a terminal?', '"npm" "a b"'],
  ['terminal_create', { cwd: '/a', env: { CI: '1' } }, 'Open a terminal in /a?', 'CI=1'],
  ['terminal_send_keys', { terminalId: 'other', keys: ['ctrl+c', 'q'] }, 'Press these keys in “other”?', 'ctrl+c q'],
  ['terminal_close', { terminalIds: ['term-1', 'b'] }, 'Close “build”, “b”?', 'end'],
  ['terminal_close', { all: true }, 'Close all terminals that agents of this window have opened?', 'end'],
] as const)('%s with %j is asked as “%s”', (tool, input, title, part) => {
  const confirm = asked(tool, input)
  expect(confirm?.title).toBe(title)
  expect(confirm?.body).toContain(part)
})

test.each(['terminal_read', 'terminal_screenshot', 'terminal_wait', 'terminal_list'] as const)(
  '%s only reads and needs no confirmation',
  (tool) => expect(asked(tool, { terminalId: 'term-1', terminalIds: ['term-1'] })).toBeNull(),
)
