import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { encodeText } from './encode-text.ts'

const decode = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString())

for (const [name, text, bracketedPaste, submit, body, enter] of [
  ['one line is itself', 'ls -l', false, false, 'ls -l', null],
  ['submit presses enter apart from the body', 'ls', false, true, 'ls', '\r'],
  ['a line feed at the end is typed, and enter after it', 'print(i)\n', false, true, 'print(i)\r', '\r'],
  [
    'a tab is pasted where it can be: typed, it would complete a word',
    'a\tb',
    true,
    true,
    '\x1b[200~a\tb\x1b[201~',
    '\r',
  ],
  ['a tab is typed where nothing can be pasted', 'a\tb', false, true, 'a\tb', '\r'],
  ['lines are typed with carriage returns', 'a\nb\r\nc', false, false, 'a\rb\rc', null],
  ['lines are wrapped when the program asked for it', 'a\nb', true, true, '\x1b[200~a\rb\x1b[201~', '\r'],
  ['one line is never wrapped', 'a', true, true, 'a', '\r'],
  ['a paste end inside is removed', 'a\x1b[201~\nrm', true, false, '\x1b[200~a\rrm\x1b[201~', null],
  ['an 8-bit paste end inside is removed', 'a\x9b201~\nrm', true, false, '\x1b[200~a\rrm\x1b[201~', null],
  ['halves do not join to a paste end', '\x1b[20\x1b[201~1~\n', true, false, '\x1b[200~[201~\r\x1b[201~', null],
  ['nothing with submit is enter alone', '', true, true, '', '\r'],
] as const) {
  test(name, () => {
    const encoded = encodeText(text, { bracketedPaste, submit })
    assert.deepEqual([decode(encoded.body), decode(encoded.enter)], [body, enter])
  })
}

test('a wrapped paste holds exactly one paste end, at its end', () => {
  const piece = fc.constantFrom('\x1b[201~', '\x1b[20', '1~', '\x1b', '\n', 'x', '\x9b201~', '\x9b')
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const body = decode(encodeText(`${pieces.join('')}\nx`, { bracketedPaste: true, submit: false }).body) ?? ''
      assert.equal(body.search(/(?:\x1b\[|\x9b)201~/), body.length - '\x1b[201~'.length)
    }),
  )
})
