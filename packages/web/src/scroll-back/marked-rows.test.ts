import { expect, test } from 'vitest'
import { textOf } from './find-seam.ts'
import { currentLine, marked, unmarked } from './marked-rows.ts'

const shown = (row: string) =>
  row
    .replaceAll('\x1b[000;38;2;0;0;0;48;2;176;184;200m', '<')
    .replaceAll('\x1b[000;1;4;38;2;0;0;0;48;2;255;205;80m', '<!')
    .replaceAll('\x1b[0;38;2;0;0;0;48;2;255;205;80m', '<line>')
    .replaceAll('\x1b[0m', '>')
    .replaceAll(/\x1b\[(\d+)m/g, '{$1}')

test.each<[string, string, readonly (readonly [number, number])[], string]>([
  ['a match', 'a needle b', [[2, 8]], 'a <needle> b'],
  [
    'the first and the last letters',
    'aba',
    [
      [0, 1],
      [2, 3],
    ],
    '<a>b<a>',
  ],
  [
    'adjacent matches',
    'aab',
    [
      [0, 1],
      [1, 2],
    ],
    '<a><a>b',
  ],
  ['a match in colour', '\x1b[31mred\x1b[32mgreen', [[1, 5]], '{31}r<ed{32}<gr>{31}{32}een'],
  ['nothing', 'abc', [], 'abc'],
])('%s is marked, and what follows has its own style again', (_what, row, spans, want) => {
  const matches = spans.map(([from, to]) => [1, from, to] as const)
  const [first, second = ''] = marked(['other', row], matches)
  expect([first, shown(second)]).toEqual(['other', want])
  expect(textOf(second)).toBe(textOf(row))
  expect(unmarked(second)).not.toContain('176;184;200')
})

test('the matches of the current line stand out; a line without any is marked as a whole', () => {
  const rows = marked(
    ['one', 'two', 'one'],
    [
      [0, 0, 3],
      [2, 0, 3],
    ],
  )
  expect(currentLine(rows, (row) => row === 2).map(shown)).toEqual(['<one>', 'two', '<!one>'])
  expect(currentLine(rows, (row) => row === 1).map(shown)).toEqual(['<one>', '<line>two', '<one>'])
})
