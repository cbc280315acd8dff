import { expect, test } from 'vitest'
import { meetingPoint, plainRows } from './history.ts'

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

test('they are found also when more has been put out since', () => {
  expect(meetingPoint(numbers(0, 6_000), numbers(3_900, 5_000))).toBe(3_900)
})

test('rows that are not in the output have nothing above them', () => {
  expect(meetingPoint(numbers(0, 5_000), ['x', ...numbers(3_900, 5_000)])).toBe(0)
})
