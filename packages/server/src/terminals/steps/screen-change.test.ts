import assert from 'node:assert/strict'
import type { ScreenPicture } from '@agentpty/engine/screen'
import { test } from 'vitest'
import { changedRows } from './screen-change.ts'

/** A screen of eight rows. */
function screenOf(text: string, over: Partial<ScreenPicture> = {}): ScreenPicture {
  const marked = Array.from({ length: 8 }, (_, row) => text.split('\n')[row] ?? '')
  return {
    text: marked.map((row) => row.replaceAll(/[«»]/g, '')),
    marked,
    styles: marked.map((row) => (row.includes('«') ? 'inverse' : '')),
    rows: 8,
    cols: 80,
    cursor: { row: 0, col: 0, visible: true },
    alternateScreen: true,
    title: '',
    offset: 0,
    ...over,
  } as ScreenPicture
}

const file = 'a\nb\nc\nd\ne\nf\ng\nstatus'

test.each<[string, string, string, string]>([
  ['one row by its number', file, 'a\nB\nc\nd\ne\nf\ng\nstatus', '[row 2]\nB'],
  ['rows that follow each other together', file, 'a\nB\nC\nd\ne\nf\ng\n12%', '[rows 2-3]\nB\nC\n[row 8]\n12%'],
  ['a row that is empty now', file, 'a\nb\nc\nd\ne\nf\ng', '[row 8]\n'],
  ['nothing when nothing has changed', file, file, ''],
  ['a picture of which nothing stayed without numbers', file, '1\n\n3', '1\n\n3'],
  ['what came into sight by scrolling', file, 'c\nd\ne\nf\ng\nh\ni\nend', '[scrolled up 2]\n[rows 6-8]\nh\ni\nend'],
  ['a choice that moved, by its marks', 'a\n«b»\nc\nd', 'a\nb\n«c»\nd', '[rows 2-3]\nb\n«c»'],
  ['most of a new picture without its empty rows', file, 'a\n2\n\n\n5', '[row 2]\n2\n[row 5]\n5'],
])('changed rows show %s', (_what, before, after, want) => {
  assert.equal(changedRows(screenOf(before), screenOf(after)), want)
})

test.each([
  ['there was no screen before', null],
  ['another size was there before', screenOf(file, { cols: 100 })],
  ['the normal screen was there before', screenOf(file, { alternateScreen: false })],
])('the whole picture is shown when %s', (_what, before) => {
  assert.equal(changedRows(before, screenOf('a\n\nstatus')), 'a\n\nstatus')
})
