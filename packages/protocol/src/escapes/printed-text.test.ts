import { expect, test } from 'vitest'
import { printedByCommands, printedText, splitAtOutput } from './printed-text.ts'

test.each([
  ['tabs and trailing blanks stay', 'a\tb  \r\n', 'a\tb  \n'],
  ['line ends at both ends stay', '\r\n\r\nx\r\n\r\n', '\n\nx\n\n'],
  ['colours go', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a carriage return by itself stays', '50%\r100%', '50%\r100%'],
])('%s', (_what, raw, text) => {
  expect(printedText(raw)).toBe(text)
})

test('what a command printed lies between the marks of its shell', () => {
  const raw = '$ echo a\r\n\x1b]133;C\x07a\tb \r\n\x1b]133;D;0\x07\x1b]133;A\x07$ '
  expect(printedByCommands(raw)).toBe('a\tb \n')
  expect(splitAtOutput(raw).before).toBe('$ echo a\r\n')
  expect(printedByCommands('no marks')).toBeNull()
  expect(printedByCommands('\x1b]133;C\x07still running')).toBeNull()
})
