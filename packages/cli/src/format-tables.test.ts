import { expect, test } from 'vitest'
import { formatSessions, timelineRows } from './format-tables.ts'

const isoTime = (wall: number) => new Date(wall).toISOString()

test('each item is one line of at most 79 columns, whatever its content', () => {
  const at = Date.UTC(2026, 4, 1, 12, 0, 5)
  const rows = timelineRows(
    [
      {
        kind: 'command',
        at,
        offset: 1,
        line: `make\n\x1b[31m ${'x'.repeat(200)}`,
        end: 5,
        endedAt: at + 2_500,
        exitCode: 2,
      },
      {
        kind: 'typed',
        at: at + 86_400_000,
        who: 'claude-code 2.1.4 (MCP)',
        isPerson: false,
        verb: 'send',
        text: 'ls',
        outcome: 'denied',
      },
      { kind: 'exit', at: at + 86_400_000, offset: 9, exitCode: null, signal: 'SIGTERM' },
    ],
    isoTime,
  )
  expect(rows.every((row) => row.length <= 80)).toBe(true)
  expect(rows.join('')).not.toContain('\x1b')
  expect(rows.map((row) => row.trimEnd())).toEqual([
    '2026-05-01',
    `12:00:05  shell           $ make ⏎ ⟨U+001B⟩[31m ${'x'.repeat(13)}…  (exit 2, 2.5 s)`,
    '2026-05-02',
    '12:00:05  claude-code 2…  [denied] send: ls',
    '12:00:05  terminal        ended: SIGTERM',
  ])
})

test('the row of a command says that the shell reported neither its line nor its exit code', () => {
  const at = Date.UTC(2026, 4, 1, 12, 0, 5)
  const command = { kind: 'command', at, offset: 1, line: '', end: 5, endedAt: at, exitCode: null } as const
  expect(timelineRows([command], isoTime).at(-1)).toBe(
    '12:00:05  shell           a command whose line is not known  (no exit code)\n',
  )
})

test.each([80, 100, 120, 200])('in a terminal of %i columns no row of the list of terminals is wrapped', (cols) => {
  const long = {
    terminalId: 'term-12',
    name: 'a-server-with-a-very-long-name',
    pid: 123456,
    command: `npm run dev -- --port 3000 ${'--flag '.repeat(20)}`,
    cwd: `/home/ann/${'projects/'.repeat(12)}shop`,
  }
  const short = { terminalId: 'term-2', pid: 7, command: 'bash', cwd: '/' }
  const rows = formatSessions([long, short], new Map(), cols).trimEnd().split('\n')
  expect(rows.filter((row) => row.length > cols)).toEqual([])
  expect(rows[1]).toMatch(/^term-12 {2}a-server-wi.* 123456 {2}npm run dev.*… {2}(?:…|\/home).*\/shop$/)
  expect(rows[2]).toMatch(/^term-2 .* 7 .*bash.* \/$/)
})
