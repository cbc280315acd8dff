import { expect, test } from 'vitest'
import { linksIn } from './find-links.ts'

const found = (text: string) => linksIn(text).map(({ start, length }) => text.slice(start, start + length))

test.each([
  ['Local:   http://localhost:5173/', ['http://localhost:5173/']],
  ['see https://x.example/a.', ['https://x.example/a']],
  ['(https://x.example/wiki/A_(b))', ['https://x.example/wiki/A_(b)']],
  ['[https://x.example/a] and "https://y.example", done', ['https://x.example/a', 'https://y.example']],
  ['<https://x.example/?a=1&b=[2]>', ['https://x.example/?a=1&b=[2]']],
  ['HTTPS://X.EXAMPLE/A', ['HTTPS://X.EXAMPLE/A']],
  ['https:// and http:/x and ftp://x.example/ and javascript:alert(1)', []],
  ['漢 https://x.example/ü 漢', ['https://x.example/ü']],
])('the addresses in %s', (text, want) => {
  expect(found(text)).toEqual(want)
})

test.each([
  ['src/a.ts:3:5 - error TS1005', ['src/a.ts:3:5']],
  ['./run:7: not found', ['./run:7']],
  ['  at f (/srv/app/b.js:10:2)', ['/srv/app/b.js:10:2']],
  ['main.c:12: warning', ['main.c:12']],
  ['~/a.py:1', ['~/a.py:1']],
  ['at 127.0.0.1:8080, 12:30:00, a:1, x.y', []],
  ['https://x.example/a.ts:3', ['https://x.example/a.ts:3']],
])('the files in %s', (text, want) => {
  expect(found(text)).toEqual(want)
})

test('a text of many links and a long one cost no more than a moment', () => {
  expect(linksIn('http://x.example '.repeat(1_000))).toHaveLength(50)
  expect(linksIn(`${'a/'.repeat(20_000)}b`)).toEqual([])
  expect(linksIn(`http://x.example/${'('.repeat(20_000)}${')'.repeat(20_000)}`)).toEqual([])
})
