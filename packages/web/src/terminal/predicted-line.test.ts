import { expect, test } from 'vitest'
import { PredictedLine } from './predicted-line.ts'

const prompt = '$ '
/** The row with the prompt and the typed text. The cursor is after it. */
const row = (typed: string) => ({ row: 3, col: prompt.length + typed.length, text: prompt + typed })

function lineWith(keys: string): PredictedLine {
  const line = new PredictedLine(row(''))
  for (const key of keys) line.key(key === '<' ? null : key, 80)
  return line
}

test('predicts typed letters after the prompt until the screen shows them', () => {
  const line = lineWith('abc')
  expect(line.prediction).toEqual({ row: 3, col: 2, text: 'abc' })
  expect(line.seen(row('a'))).toBe(true)
  expect(line.prediction).toEqual({ row: 3, col: 3, text: 'bc' })
  expect(line.seen(row('abc'))).toBe(true)
  expect([line.prediction, line.pending]).toEqual([null, 0])
})

test('predicts a deleted letter as a blank, even after the screen shows it', () => {
  const line = lineWith('ab<')
  expect(line.prediction).toEqual({ row: 3, col: 2, text: 'a' })
  line.seen(row('ab'))
  expect(line.prediction).toEqual({ row: 3, col: 3, text: ' ' })
  line.seen(row('a'))
  expect(line.prediction).toBeNull()
})

test('the screen may catch up by many keys in one step, or by none', () => {
  const line = lineWith('hello')
  expect(line.seen(row(''))).toBe(true)
  expect(line.pending).toBe(5)
  expect(line.seen(row('hello'))).toBe(true)
})

test.each([
  ['another letter', { row: 3, col: 3, text: '$ x' }],
  ['the cursor in another row', { row: 4, col: 3, text: '$ a' }],
  ['the cursor elsewhere in the row', { row: 3, col: 9, text: '$ a' }],
  ['stars', { row: 3, col: 3, text: '$ *' }],
])('the keys cannot produce %s', (_what, shown) => {
  expect(lineWith('ab').seen(shown)).toBe(false)
})

test('earlier text is not deleted, and nothing is predicted beyond the edge', () => {
  expect(new PredictedLine(row('')).key(null, 80)).toBe(false)
  const line = new PredictedLine({ row: 0, col: 8, text: '' })
  expect([line.key('a', 10), line.key('b', 10)]).toEqual([true, false])
})

test('a letter typed and deleted leaves nothing to draw', () => {
  expect(lineWith('a<').prediction).toBeNull()
})
