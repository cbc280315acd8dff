import { expect, test } from 'vitest'
import { printedByCommands, printedText, splitAtOutput, unfinishedEscape, withoutEscapes } from './printed-text.ts'

test.each([
  ['tabs and trailing blanks stay', 'a\tb  \r\n', 'a\tb  \n'],
  ['line ends at both ends stay', '\r\n\r\nx\r\n\r\n', '\n\nx\n\n'],
  ['colours go', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a carriage return by itself stays', '50%\r100%', '50%\r100%'],
])('%s', (_what, raw, text) => {
  expect(printedText(raw)).toBe(text)
})

test('the output of a command is between the marks of its shell', () => {
  const raw = '$ echo a\r\n\x1b]133;C\x07a\tb \r\n\x1b]133;D;0\x07\x1b]133;A\x07$ '
  expect(printedByCommands(raw)).toBe('a\tb \n')
  expect(splitAtOutput(raw).before).toBe('$ echo a\r\n')
  expect(printedByCommands('no marks')).toBeNull()
  expect(printedByCommands('\x1b]133;C\x07still running')).toBeNull()
})

test.each<[string, string, string]>([
  ['colours', '\x1b[1;31mred\x1b[m\r\n', 'red\r\n'],
  ['private modes and parameters', '\x1b[?25l\x1b[>4;2m\x1b[?2026$px', 'x'],
  ['titles that end with a bell', '\x1b]0;my title\x07x', 'x'],
  ['titles that end with a sequence', '\x1b]0;my title\x1b\\x', 'x'],
  ['links', '\x1b]8;;http://a.b/c?d=e\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['device strings', '\x1bP+q544e\x1b\\x', 'x'],
  ['character sets and the short ones', '\x1b(B\x1b7x\x1b8\x1b=', 'x'],
  ['a title without an end', 'x\x1b]0;title', 'x'],
])('taken out: %s', (_name, text, want) => {
  expect(withoutEscapes(text)).toBe(want)
})

test.each<[string, string, string]>([
  ['none', 'red\x1b[0m', ''],
  ['an escape character', 'red\x1b', '\x1b'],
  ['half a colour', 'red\x1b[38;5', '\x1b[38;5'],
  ['half a title', 'x\x1b]0;my ti', '\x1b]0;my ti'],
  ['a title but for half its end', 'x\x1b]0;title\x1b', '\x1b]0;title\x1b'],
  ['half a character set', 'x\x1b(', '\x1b('],
  ['a text behind a whole one', '\x1b[1mbold [3', ''],
])('not whole yet: %s', (_name, text, rest) => {
  expect(unfinishedEscape(text)).toBe(rest)
})
