/** Lines of commands, read from recorded drawings of bash's line editor. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Screen } from '../screen/screen.ts'
import { drawnLine } from './drawn-line.ts'

test.each([
  ['a typed line is itself', '$ ', 'echo a\r\n\x1b[?2004l\r', 'echo a'],
  ['erased characters are gone', '$ ', 'echo ab\b\x1b[K\r\n', 'echo a'],
  ['the terminal erases with a blank', '$ ', 'echo ab\b \b\r\n', 'echo a'],
  ['a recalled line replaces what was typed', '$ ', 'echo a\r\x1b[C\x1b[Cls -la\r\n', 'ls -la'],
  ['a character that is inserted at the begin', '$ ', 'cho a\r\x1b[C\x1b[C\x1b[1@e\r\n', 'echo a'],
  ['characters that are deleted in the middle', '$ ', 'exxcho a\r\x1b[3C\x1b[2P\r\n', 'echo a'],
  ['a redraw that shows the prompt again', '$ ', 'echo a\r\x1b[K\r$ echo a\r\n', 'echo a'],
  ['a coloured prompt of two rows', 'one\r\n\x1b[32m❯\x1b[0m ', 'echo a\r\x1b[2Cls\x1b[K\r\n', 'ls'],
  ['the rows of an unfinished command', '$ ', "echo 'a\r\n\x1b[?2004l\r> b'\r\n", "echo 'a\n> b'"],
  ['a line that is wrapped while it is typed', '$ ', 'echo 1234567890123 \r456\r\n', 'echo 1234567890123456'],
  ['a wrapped line that is corrected', '$ ', 'echo 1234567890123 \r456\b\x1b[K\b\x1b[K\r\n', 'echo 12345678901234'],
  [
    'a character before a wrapped line',
    '$ ',
    'echo 1234567890123456\x1b[A\r\x1b[C\x1b[CXecho 1234567890123456\x1b[A\r\x1b[3C\r\n\r\r\n',
    'Xecho 1234567890123456',
  ],
  ['a wrapped line that a short one replaces', '$ ', 'echo 1234567890123456\x1b[K\x1b[A\r\x1b[2Cls\x1b[J\r\n', 'ls'],
  [
    'characters deleted in the first of two rows',
    '$ ',
    'exxho 123456789012345\x1b[A\r\x1b[3C\x1b[2P\r\n',
    'eho 123456789012  345',
  ],
  ['a move above the prompt is not followed', '$ ', 'echo a\x1b[A\x1b[Kb\r\n', null],
  ['a tab is not followed', '$ ', 'echo\ta\r\n', null],
  ['a wide character is not followed', '$ ', 'echo 漢\b\b\x1b[K\r\n', null],
])('%s', (_name, prompt, drawn, want) => {
  expect(drawnLine({ prompt, drawn, width: 20 })?.trim() ?? null).toBe(want)
})

test('whatever is drawn, the line is the one on the screen', async () => {
  const [width, prompt] = [20, '$ ']
  const move = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...'CD@PAB'))
    .map(([n, key]) => `\x1b[${n}${key}`)
  const drawing = fc.oneof(fc.stringMatching(/^[a-z ]{1,15}$/), fc.constantFrom('\r', '\b', '\x1b[K', '\x1b[J'), move)
  await fc.assert(
    fc.asyncProperty(fc.array(drawing, { maxLength: 20 }), async (pieces) => {
      const drawn = pieces.join('')
      const line = drawnLine({ prompt, drawn, width })
      fc.pre(line !== null)
      const screen = new Screen({ cols: width, rows: 40, scrollbackRows: 0, offset: 0, version: '', onReply: () => {} })
      await new Promise<void>((parsed) => screen.feed(Buffer.from(prompt + drawn), parsed))
      const rows = screen.picture().text.map((row) => row.padEnd(width))
      expect(line).toBe(rows.join('').slice(prompt.length).trimEnd())
      screen.dispose()
    }),
  )
})
