import { expect, test } from 'vitest'
import { firstShownMs } from './read-cast.ts'

const output = (at: number, data: string) => ({ at, code: 'o', data })

test.each([
  [
    'the first character that is seen',
    [output(500, '\x1b]0;title\x07\x1b[?2004h\r\n'), output(900, '\x1b[31m$ \x1b[m')],
    900,
  ],
  [
    'no marker and no size',
    [{ at: 1, code: 'm', data: '$ ls' }, { at: 2, code: 'r', data: '80x24' }, output(3, 'x')],
    3,
  ],
  ['the beginning where nothing is seen', [output(7, '\x1b[2J')], 0],
  ['the beginning of none', [], 0],
])('a recording starts at %s', (_what, events, at) => {
  expect(firstShownMs(events)).toBe(at)
})
