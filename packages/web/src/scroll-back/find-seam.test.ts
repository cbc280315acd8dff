import { expect, test } from 'vitest'
import { findSeam } from './find-seam.ts'

const rows = Array.from({ length: 100 }, (_, at) => `\x1b[31mline ${at}\x1b[m`)

test('rows are found by their text, without styles and padding', () => {
  expect(findSeam(rows, ['line 40   ', 'line 41'], 45)).toBe(40)
})

test('of repeated rows, the nearest to the expected one is taken', () => {
  const repeated = [...rows, ...rows, ...rows]
  expect(findSeam(repeated, ['line 40', 'line 41'], 135)).toBe(140)
  expect(findSeam(repeated, ['line 40', 'line 41'], 245)).toBe(240)
})

test('rows that are not in the output, or empty, are not found', () => {
  expect(findSeam(rows, ['drawn over', 'line 41'], 40)).toBeNull()
  expect(findSeam(rows, ['', ''], 40)).toBeNull()
})
