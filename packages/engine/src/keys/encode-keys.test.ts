import assert from 'node:assert/strict'
import { isTermError } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { encodeKeys } from './encode-keys.ts'
import { keyAliases, keyTable } from './key-table.ts'

const normal = { applicationCursorKeys: false }
const application = { applicationCursorKeys: true }
const encoded = (keys: readonly string[], modes = normal): string => Buffer.from(encodeKeys(keys, modes)).toString()

for (const [key, want] of [
  ['ctrl+c', '\x03'],
  ['Ctrl+C', '\x03'],
  [' ctrl + c ', '\x03'],
  ['control-d', '\x04'],
  ['C-c', '\x03'],
  ['^c', '\x03'],
  ['^[', '\x1b'],
  ['ctrl+[', '\x1b'],
  ['ctrl+\\', '\x1c'],
  ['ctrl+]', '\x1d'],
  ['ctrl+^', '\x1e'],
  ['ctrl+_', '\x1f'],
  ['ctrl+@', '\0'],
  ['ctrl+?', '\x7f'],
  ['ctrl+space', '\0'],
  ['enter', '\r'],
  ['Return', '\r'],
  ['tab', '\t'],
  ['escape', '\x1b'],
  ['Esc', '\x1b'],
  ['backspace', '\x7f'],
  ['BSpace', '\x7f'],
  ['DC', '\x1b[3~'],
  ['delete', '\x1b[3~'],
  ['IC', '\x1b[2~'],
  ['NPage', '\x1b[6~'],
  ['PPage', '\x1b[5~'],
  ['page_up', '\x1b[5~'],
  ['page up', '\x1b[5~'],
  ['PgDn', '\x1b[6~'],
  ['space', ' '],
  [' ', ' '],
  ['shift+tab', '\x1b[Z'],
  ['S-Tab', '\x1b[Z'],
  ['BTab', '\x1b[Z'],
  ['M-x', '\x1bx'],
  ['alt+X', '\x1bX'],
  ['alt+enter', '\x1b\r'],
  ['alt+ctrl+b', '\x1b\x02'],
  ['C-M-x', '\x1b\x18'],
  ['alt+backspace', '\x1b\x7f'],
  ['ctrl+up', '\x1b[1;5A'],
  ['C-Up', '\x1b[1;5A'],
  ['alt+left', '\x1b[1;3D'],
  ['shift+f5', '\x1b[15;2~'],
  ['shift+f1', '\x1b[1;2P'],
  ['ctrl+shift+left', '\x1b[1;6D'],
  ['ctrl+delete', '\x1b[3;5~'],
  ['up', '\x1b[A'],
  ['f1', '\x1bOP'],
  ['F12', '\x1b[24~'],
  ['f20', '\x1b[34~'],
  ['shift+a', 'A'],
  ['a', 'a'],
  ['A', 'A'],
  ['+', '+'],
  ['-', '-'],
  ['^', '^'],
  ['alt++', '\x1b+'],
  ['é', 'é'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
  ['\r', '\r'],
  ['<C-c>', '\x03'],
  ['<Esc>', '\x1b'],
  ['<CR>', '\r'],
  ['0x41', 'A'],
  ['KP5', '5'],
  ['KP/', '/'],
  [':q!', ':q!'],
  ['/pattern', '/pattern'],
  ['hello, world', 'hello, world'],
  ['dd', 'dd'],
  ['<div>x</div>', '<div>x</div>'],
] as const) {
  test(`${JSON.stringify(key)} is ${JSON.stringify(want)}`, () => assert.equal(encoded([key]), want))
}

test('with application cursor keys, unmodified arrows, home and end begin with ESC O', () => {
  assert.equal(encoded(['up', 'Home', 'end', 'ctrl+up'], application), '\x1bOA\x1bOH\x1bOF\x1b[1;5A')
})

for (const [key, message, hint] of [
  ['entr', /No key is called "entr"/, /Near names: enter.*terminal_send/],
  ['ctr+c', /"ctr\+c"/, /ctrl\+c/],
  ['ctrl+c enter', /"ctrl\+c enter"/, /Several keys are several items/],
  ['<C-foo>', /"<C-foo>"/, /terminal_send/],
  ['', /""/, /terminal_send/],
  ['C-', /"C-"/, /terminal_send/],
  ['shift+enter', /no bytes for "shift\+enter"/, /ctrl\+j/],
  ['ctrl+1', /no bytes for "ctrl\+1"/, /"1"/],
  ['ctrl+shift+c', /no bytes/, /without the modifier/],
  ['shift+1', /no bytes/, /"1"/],
] as const) {
  test(`${JSON.stringify(key)} is refused with the next move`, () => {
    assert.throws(
      () => encodeKeys(['a', key], normal),
      (error) =>
        isTermError(error) && error.code === 'unknown_key' && message.test(error.message) && hint.test(error.hint),
    )
  })
}

test('at most five near names are offered', () => {
  assert.throws(
    () => encodeKeys(['ctrl+'], normal),
    (error) => isTermError(error) && (/Near names: (.*?)\. /.exec(error.hint)?.[1] ?? '').split(', ').length === 5,
  )
})

test('no key encodes to nothing: it has bytes or it is refused', () => {
  const modifier = fc.constantFrom('ctrl+', 'alt+', 'shift+', 'C-', 'M-', 'S-', '^', '')
  const name = fc.oneof(fc.constantFrom(...keyTable.keys(), ...keyAliases.keys()), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(modifier, modifier, name, fc.boolean(), (first, second, base, applicationCursorKeys) => {
      try {
        assert.notEqual(encodeKeys([first + second + base], { applicationCursorKeys }).length, 0)
      } catch (error) {
        assert.ok(isTermError(error) && error.code === 'unknown_key', String(error))
      }
    }),
    { numRuns: 500 },
  )
})
