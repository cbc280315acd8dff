import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tiles } from './wall.ts'

test.each([
  [1, { cols: 120, rows: 40 }, 1, 1],
  [2, { cols: 200, rows: 40 }, 2, 1],
  [4, { cols: 160, rows: 48 }, 2, 2],
  [2, { cols: 80, rows: 50 }, 1, 2],
])('%j terminals on %j: %j across, %j down', (count, size, across, down) => {
  const areas = tiles(count, size)
  expect(areas).toHaveLength(count)
  expect(new Set(areas.map(({ left }) => left)).size).toBe(across)
  expect(new Set(areas.map(({ top }) => top)).size).toBe(down)
})

test('tiles do not overlap and stay within the window', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 30, max: 400 }),
      fc.integer({ min: 6, max: 120 }),
      (count, cols, rows) => {
        const areas = tiles(count, { cols, rows })
        assert.ok(areas.length >= 1 && areas.length <= count)
        for (const [at, one] of areas.entries()) {
          assert.ok(one.left + one.cols <= cols && one.top + one.rows <= rows)
          for (const other of areas.slice(at + 1)) {
            const isBeside = one.left + one.cols <= other.left || other.left + other.cols <= one.left
            const isAbove = one.top + one.rows <= other.top || other.top + other.rows <= one.top
            assert.ok(isBeside || isAbove)
          }
        }
      },
    ),
  )
})
