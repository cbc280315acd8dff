import { expect, test } from 'vitest'
import { scrolledAfter } from './scrollback.ts'

const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}`)
const texts = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text)

test('earlier lines keep their ids, and new lines are added', () => {
  const before = scrolledAfter([], lines(0, 100))
  const after = scrolledAfter(before, lines(0, 103))
  expect(texts(after)).toEqual(lines(0, 103))
  expect(after.slice(0, 100)).toEqual(before)
  expect(new Set(after.map(({ id }) => id)).size).toBe(103)
})

test('lines that the daemon has dropped are removed, and the rest keep their ids', () => {
  const before = scrolledAfter([], lines(0, 100))
  const after = scrolledAfter(before, lines(10, 110))
  expect(texts(after)).toEqual(lines(10, 110))
  expect(after[0]).toEqual(before[10])
})

test('without any known line, all lines are new', () => {
  const before = scrolledAfter([], lines(0, 100))
  const after = scrolledAfter(before, lines(500, 600))
  expect(texts(after)).toEqual(lines(500, 600))
  expect(after.some(({ id }) => before.some((row) => row.id === id))).toBe(false)
})

test('a scrollback that was cleared is empty', () => {
  expect(scrolledAfter(scrolledAfter([], lines(0, 3)), [])).toEqual([])
})

test('identical repeated lines count as nothing new', () => {
  const before = scrolledAfter(
    [],
    Array.from({ length: 60 }, () => 'y'),
  )
  expect(
    scrolledAfter(
      before,
      Array.from({ length: 60 }, () => 'y'),
    ),
  ).toEqual(before)
})
