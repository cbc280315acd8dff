import { expect, test } from 'vitest'
import { insertedInto, OwnLines } from './own-lines.ts'

function linesWith(...lines: readonly string[]): OwnLines {
  const own = new OwnLines()
  for (const line of lines) own.add(line)
  return own
}

test('one goes back through them and forth again to what was not sent', () => {
  const own = linesWith('one', 'two')
  expect([own.step(1, 'thr'), own.step(1, 'two'), own.step(1, 'one')]).toEqual(['two', 'one', null])
  expect([own.step(-1, 'one'), own.step(-1, 'two'), own.step(-1, 'thr')]).toEqual(['two', 'thr', null])
})

test('a line is there once, where it was sent last, and blank ones are not', () => {
  expect(linesWith('one', 'two', '  ', 'one').newest).toEqual(['one', 'two'])
})

test('the oldest go', () => {
  expect(linesWith(...Array.from({ length: 60 }, (_, at) => `${at}`)).newest).toHaveLength(50)
})

test.each([
  ['at the end', 'ls', 'lsc', 'c'],
  ['in the middle', 'ac', 'abc', 'b'],
  ['nothing', 'abc', 'ab', ''],
  ['a word at once', '', 'word', 'word'],
])('what has come %s is found', (_where, before, after, want) => {
  expect(insertedInto(before, after)).toBe(want)
})
