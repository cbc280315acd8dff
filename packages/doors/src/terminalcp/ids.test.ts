import assert from 'node:assert/strict'
import { TerminalName } from '@agentpty/protocol/call'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meetingPoint, plainRows, sessionIdOf, terminalOf } from './ids.ts'

test.each([
  ['an id that can be a name is one', 'dev_server-1.2', 'dev_server-1.2'],
  ['blanks and slashes are written as bytes', 'my server/1', 'tcp.my_20server_2f1'],
  ['so are other letters', 'süß', 'tcp.s_c3_bc_c3_9f'],
  ['a name that looks written is written again', 'tcp.a_20b', 'tcp.tcp.a_5f20b'],
])('%s', (_what, id, name) => {
  expect([terminalOf(id), sessionIdOf(name)]).toEqual([name, id])
})

test('every id has a name, and is decoded from it unless it is very long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (id) => {
      const name = terminalOf(id)
      assert.ok(TerminalName.safeParse(name).success, name)
      if (/^tcp\.-[0-9a-f]{40}$/.test(name)) assert.equal(terminalOf(name), name)
      else assert.equal(sessionIdOf(name), id)
    }),
  )
})

test.each<[string, string, readonly string[]]>([
  ['lines are rows', 'a\r\nb\r\n', ['a', 'b']],
  ['a long line is folded', 'abcdefghijkl\r\n', ['abcdefghij', 'kl']],
  ['what a carriage return overwrites is gone', '10%\r5\r\n', ['50%']],
  ['tabs go to the next eighth column', 'a\tb\r\n', ['a       b']],
  ['colours are none', '\x1b[31mred\x1b[0m\r\n', ['red']],
  ['empty rows stay between others', 'a\r\n\r\nb\r\n\r\n', ['a', '', 'b']],
])('plain output on ten columns: %s', (_name, text, rows) => {
  expect(plainRows(text, 10)).toEqual(rows)
})

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => String(from + at))

test('the rows of a screen are found in the output', () => {
  expect(meetingPoint(numbers(0, 5_000), numbers(3_900, 5_000))).toBe(3_900)
})

test('the rows of a screen are found although more output has come since', () => {
  expect(meetingPoint(numbers(0, 6_000), numbers(3_900, 5_000))).toBe(3_900)
})

test('no older rows are returned for rows that are not in the output', () => {
  expect(meetingPoint(numbers(0, 5_000), ['x', ...numbers(3_900, 5_000)])).toBe(0)
})
