import { expect, test } from 'vitest'
import { themeOf } from '../wall/run-colors.ts'
import { isRule, linePartsOf } from './line-parts.ts'

const theme = themeOf()
/** Shows the cell of the cursor between bars. */
const shown = (row: string, cursor: number | null) =>
  linePartsOf(row, theme, cursor)
    .map(({ text, isCursor }) => (isCursor ? `|${text}|` : text))
    .join('')

test.each<[string, string, number | null, string]>([
  ['nowhere', '$ ls', null, '$ ls'],
  ['on a letter', '$ ls', 2, '$ |l|s'],
  ['on the first letter', 'ls', 0, '|l|s'],
  ['behind the text', '$ ', 2, '$ | |'],
  ['far behind the text', '$', 4, '$   | |'],
  ['in an empty row', '', 0, '| |'],
  ['on a wide character', 'a漢b', 1, 'a|漢|b'],
  ['on the second half of a wide character', 'a漢b', 2, 'a|漢|b'],
  ['behind a letter with an accent of its own', 'e\u0301x', 1, 'e\u0301|x|'],
  ['in the second of two runs', '\x1b[0;1mab\x1b[0mcd', 3, 'abc|d|'],
])('the cursor %s', (_where, row, cursor, want) => {
  expect(shown(row, cursor)).toBe(want)
})

test('text in the default style has no look; other text has its colours', () => {
  expect(linePartsOf('a\x1b[0;1;38;5;2mb', theme, null)).toEqual([
    { text: 'a', isCursor: false, link: null, look: null },
    {
      text: 'b',
      isCursor: false,
      link: null,
      look: expect.objectContaining({ color: theme.palette[2], isBold: true }),
    },
  ])
})

test('the parts of a hyperlink have its target, also below the cursor', () => {
  const parts = linePartsOf('a\x1b]8;;https://x.example/\x07bcd\x1b]8;;\x07e', theme, 2)
  expect(parts.map(({ text, link, isCursor }) => [text, link, isCursor])).toEqual([
    ['a', null, false],
    ['b', 'https://x.example/', false],
    ['c', 'https://x.example/', true],
    ['d', 'https://x.example/', false],
    ['e', null, false],
  ])
})

test('inverse text has the colours of the theme swapped', () => {
  const [part] = linePartsOf('\x1b[0;7mx', theme, null)
  expect(part?.look).toMatchObject({ color: theme.background, background: theme.foreground })
})

test('text without enough contrast is drawn in a readable colour', () => {
  const [onGray] = linePartsOf('\x1b[0;48;5;250mx', theme, null)
  expect(onGray?.look).toMatchObject({ color: theme.background, background: '#bcbcbc' })
  const [black] = linePartsOf('\x1b[0;38;2;0;0;0mx', theme, null)
  expect(black?.look?.color).toBe(theme.foreground)
})

test.each([
  [`${'─'.repeat(80)}`, true],
  [`\x1b[0;2m${'─'.repeat(80)}\x1b[0m`, true],
  ['----------------------', true],
  ['─── Settings ───────────────────', false],
  ['----', false],
  ['', false],
])('%s is a rule: %s', (row, want) => {
  expect(isRule(row)).toBe(want)
})
