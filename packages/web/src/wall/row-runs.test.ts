import { expect, test } from 'vitest'
import { plain, runsOf, widthOf } from './row-runs.ts'
import { fixedColor } from './run-colors.ts'

test.each([
  ['text alone', 'ls -l', [{ text: 'ls -l', col: 0, width: 5, link: null, style: plain }]],
  [
    'a named colour, and bold, up to what follows',
    '\x1b[0;1;38;5;2mok\x1b[0m done',
    [
      { text: 'ok', col: 0, width: 2, style: { ...plain, isBold: true, foreground: 2 }, link: null },
      { text: ' done', col: 2, width: 5, link: null, style: plain },
    ],
  ],
  [
    'true colours of text and ground, inverse',
    '\x1b[0;7;38;2;255;128;0;48;2;1;2;3mx',
    [
      {
        text: 'x',
        col: 0,
        width: 1,
        style: { ...plain, isInverse: true, foreground: '#ff8000', background: '#010203' },
        link: null,
      },
    ],
  ],
  [
    'a hyperlink, across a change of style, and no longer',
    '\x1b]8;;https://x.example/?a;b\x07o\x1b[0;1mk\x1b]8;;\x07!',
    [
      { text: 'o', col: 0, width: 1, link: 'https://x.example/?a;b', style: plain },
      { text: 'k', col: 1, width: 1, link: 'https://x.example/?a;b', style: { ...plain, isBold: true } },
      { text: '!', col: 2, width: 1, link: null, style: { ...plain, isBold: true } },
    ],
  ],
  ['nothing', '', []],
])('%s is read from a row', (_what, row, runs) => {
  expect(runsOf(row)).toEqual(runs)
})

test.each([
  ['abc', 3],
  ['漢字', 4],
  ['é', 1],
  ['🚀x', 3],
  ['─│⠋', 3],
])('%s takes %i cells', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test.each([
  [16, '#000000'],
  [21, '#0000ff'],
  [231, '#ffffff'],
  [232, '#080808'],
  [255, '#eeeeee'],
])('colour %i of the palette is %s in every theme', (index, color) => {
  expect(fixedColor(index)).toBe(color)
})
