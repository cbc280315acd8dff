import { expect, test } from 'vitest'
import { piecesOf } from './input.ts'

test.each<[string, string, readonly (readonly [string, boolean])[]]>([
  ['nothing', '', []],
  ['a text', 'ls', [['ls', false]]],
  ['a text and Enter', 'ls\r', [['ls', true]]],
  [
    'two Enters',
    '\r\r',
    [
      ['', true],
      ['', true],
    ],
  ],
  [
    'text behind an Enter',
    'ls\rq',
    [
      ['ls', true],
      ['q', false],
    ],
  ],
  ['a carriage return with a line feed', 'a\r\nb\r', [['a\r\nb', true]]],
])('typed in pieces: %s', (_name, data, pieces) => {
  expect(piecesOf(data)).toEqual(pieces.map(([text, enter]) => ({ text, enter })))
})
