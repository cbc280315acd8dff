import { expect, test } from 'vitest'
import { insertedInto, OwnLines } from './own-lines.ts'

function linesWith(...lines: readonly string[]): OwnLines {
  const own = new OwnLines()
  for (const line of lines) own.add(line)
  return own
}

test('steps back through the lines and forward to the unsent one', () => {
  const own = linesWith('one', 'two')
  expect([own.step(1, 'thr'), own.step(1, 'two'), own.step(1, 'one')]).toEqual(['two', 'one', null])
  expect([own.step(-1, 'one'), own.step(-1, 'two'), own.step(-1, 'thr')]).toEqual(['two', 'thr', null])
})

test('a repeated line is listed once, at its latest position, and blank lines are left out', () => {
  expect(linesWith('one', 'two', '  ', 'one').newest).toEqual(['one', 'two'])
})

test('the oldest lines are dropped', () => {
  expect(linesWith(...Array.from({ length: 60 }, (_, at) => `${at}`)).newest).toHaveLength(50)
})

test.each([
  ['at the end', 'ls', 'lsc', 'c'],
  ['in the middle', 'ac', 'abc', 'b'],
  ['nothing', 'abc', 'ab', ''],
  ['a word in one step', '', 'word', 'word'],
])('finds the text inserted: %s', (_where, before, after, want) => {
  expect(insertedInto(before, after)).toBe(want)
})
