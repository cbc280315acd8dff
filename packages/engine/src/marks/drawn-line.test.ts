/** Lines of commands, read from recorded drawings of bash's line editor. */

import { expect, test } from 'vitest'
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
  ['a move to another row is not followed', '$ ', 'echo a\x1b[A\x1b[Kb\r\n', null],
  ['a wide character is not followed', '$ ', 'echo 漢\b\b\x1b[K\r\n', null],
])('%s', (_name, prompt, drawn, want) => {
  expect(drawnLine(prompt, drawn)?.trim() ?? null).toBe(want)
})
