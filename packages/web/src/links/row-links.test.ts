import { expect, test } from 'vitest'
import { linksInRows } from './row-links.ts'

const hyperlink = (target: string, text: string) => `\x1b]8;;${target}\x07${text}\x1b]8;;\x07`
const found = (...rows: readonly string[]) =>
  linksInRows(rows).map(({ text, target }) => [text, target.kind === 'web' ? target.href : target])

test('hyperlinks, addresses and files are found in rows with colours, each target once', () => {
  expect(
    found(
      `\x1b[0;1msee ${hyperlink('https://x.example/a', 'the \x1b[0;4mdocs')}\x1b[0m or https://y.example/`,
      'again https://y.example/ and a.ts:3',
    ),
  ).toEqual([
    ['the docs', 'https://x.example/a'],
    ['https://y.example/', 'https://y.example/'],
    ['a.ts:3', { kind: 'path', path: 'a.ts:3' }],
  ])
})

test('an address in the text of a hyperlink does not replace its target', () => {
  expect(found(hyperlink('https://evil.example/', 'https://good.example/'))).toEqual([
    ['https://good.example/', 'https://evil.example/'],
  ])
})
