import type { Frame } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { rowsAfter, withoutEmptyEnd } from './row-feed.ts'

const frameOf = (isWhole: boolean, rows: Frame['rows']): Frame => ({
  at: 0,
  size: { cols: 10, rows: 3 },
  top: 0,
  left: 0,
  isWhole,
  rows,
  cursor: null,
  modes: [],
  title: '',
})

test('a partial frame changes the rows it contains, and a whole frame changes all rows', () => {
  const first = rowsAfter([], frameOf(true, [[1, 'b']]))
  expect(first).toEqual(['', 'b', ''])
  expect(rowsAfter(first, frameOf(false, [[0, 'a']]))).toEqual(['a', 'b', ''])
  expect(rowsAfter(first, frameOf(true, [[2, 'c']]))).toEqual(['', '', 'c'])
})

test('empty rows at the end are left out, except those above the cursor', () => {
  const rows = ['a', '', 'b', '', '', '']
  expect(withoutEmptyEnd({ rows, cursor: null })).toEqual(['a', '', 'b'])
  expect(withoutEmptyEnd({ rows, cursor: { row: 4, col: 0 } })).toEqual(['a', '', 'b', '', ''])
  expect(withoutEmptyEnd({ rows: ['', ''], cursor: null })).toEqual([''])
})
