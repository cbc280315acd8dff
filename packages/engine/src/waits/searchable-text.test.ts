import assert from 'node:assert/strict'
import { test } from 'vitest'
import { searchableText } from './searchable-text.ts'

test.each<[string, string, string]>([
  ['plain text as it is', 'Grüße 😀\tx\n', 'Grüße 😀\tx\n'],
  ['no carriage returns', 'a\r\nb\r', 'a\nb'],
  ['no colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['no colours with colons', '\x1b[38:2::1:2:3mred', 'red'],
  ['no private modes', '\x1b[?2004hx\x1b[?25l', 'x'],
  ['no titles, ended either way', '\x1b]2;title\x07a\x1b]0;other\x1b\\b', 'ab'],
  ['no links, but what they are on', '\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\', 'here'],
  ['no title that has not ended yet', 'a\x1b]2;tit', 'a'],
  ['no device strings', '\x1bP1$r0m\x1b\\x', 'x'],
  ['no character sets', '\x1b(B\x1b)0x', 'x'],
  ['no keypad modes', '\x1b=\x1b>x', 'x'],
  ['no saved cursors', '\x1b7x\x1b8', 'x'],
  ['no bells, backspaces and the like', 'a\x07b\x08c\x7f', 'abc'],
])('%s', (_name, source, want) => {
  assert.equal(searchableText(Buffer.from(source)), want)
})

test('bytes that are no text cost nothing but themselves', () => {
  assert.equal(searchableText(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb')
})
