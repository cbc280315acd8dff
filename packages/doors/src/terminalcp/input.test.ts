import { expect, test } from 'vitest'
import { parseKeys, piecesOf } from './input.ts'

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

test.each<[string, string]>([
  ['Up', '\x1b[A'],
  ['Down', '\x1b[B'],
  ['Left', '\x1b[D'],
  ['Right', '\x1b[C'],
  ['Home', '\x1b[H'],
  ['End', '\x1b[F'],
  ['PageUp', '\x1b[5~'],
  ['PgUp', '\x1b[5~'],
  ['PPage', '\x1b[5~'],
  ['PageDown', '\x1b[6~'],
  ['PgDn', '\x1b[6~'],
  ['NPage', '\x1b[6~'],
  ['Insert', '\x1b[2~'],
  ['IC', '\x1b[2~'],
  ['Delete', '\x1b[3~'],
  ['DC', '\x1b[3~'],
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['Space', ' '],
  ['Escape', '\x1b'],
  ['Esc', '\x1b'],
  ['BSpace', '\x7f'],
  ['Backspace', '\x7f'],
  ['F1', '\x1bOP'],
  ['F2', '\x1bOQ'],
  ['F3', '\x1bOR'],
  ['F4', '\x1bOS'],
  ['F5', '\x1b[15~'],
  ['F6', '\x1b[17~'],
  ['F7', '\x1b[18~'],
  ['F8', '\x1b[19~'],
  ['F9', '\x1b[20~'],
  ['F10', '\x1b[21~'],
  ['F11', '\x1b[23~'],
  ['F12', '\x1b[24~'],
  ['KP0', '\x1bOp'],
  ['KP5', '\x1bOu'],
  ['KP9', '\x1bOy'],
  ['KP/', '\x1bOo'],
  ['KP*', '\x1bOj'],
  ['KP-', '\x1bOm'],
  ['KP+', '\x1bOk'],
  ['KP.', '\x1bOn'],
  ['KPEnter', '\x1bOM'],
  ['C-c', '\x03'],
  ['c-C', '\x03'],
  ['C-@', '\0'],
  ['C-[', '\x1b'],
  ['C-\\', '\x1c'],
  ['C-]', '\x1d'],
  ['C-^', '\x1e'],
  ['C-_', '\x1f'],
  ['C-?', '\x7f'],
  ['^x', '\x18'],
  ['^X', '\x18'],
  ['^1', '^1'],
  ['M-x', '\x1bx'],
  ['C-M-x', '\x1b\x18'],
  ['M-S-Left', '\x1b\x1b[D'],
  ['S-a', 'A'],
  ['S-Tab', '\x1b[Z'],
  ['S-Up', '\x1b[A'],
  ['C-Left', '\x1b[D'],
  ['0x41', 'A'],
  ['0xzz', '0xzz'],
  ['up', 'up'],
  ['Nope', 'Nope'],
  ['a', 'a'],
  ['', ''],
])('::%s is sent as %j', (key, bytes) => {
  expect(parseKeys([`::${key}`])).toBe(bytes)
})

test('texts and keys are typed one after the other', () => {
  expect(parseKeys(['echo hello', '::Left', 'x', '::Enter'])).toBe('echo hello\x1b[Dx\r')
})

test.each<[string, string]>([
  ['::C-c', '\x03'],
  ['::std::vector', '::std::vector'],
  ['std::Up', 'std::Up'],
  ['::', '::'],
])('a single text %j is typed as %j', (text, bytes) => {
  expect(parseKeys(text)).toBe(bytes)
})
