import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  arranged,
  dividersOf,
  type Layout,
  parseLayout,
  putBeside,
  putInto,
  type Side,
  shareMin,
  slotsMax,
  slotsOf,
  terminalsOf,
  without,
  withShare,
} from './layout.ts'

const one: Layout = { terminalId: 'a' }
const sides: readonly Side[] = ['left', 'right', 'above', 'below']

/** Each terminal with its area in percent. */
const drawn = (layout: Layout) =>
  slotsOf(layout).map(({ terminalId, left, top, width, height }) =>
    [terminalId, ...[left, top, width, height].map((part) => Math.round(part * 100))].join(' '),
  )

test.each([
  ['left', ['b 0 0 50 100', 'a 50 0 50 100']],
  ['right', ['a 0 0 50 100', 'b 50 0 50 100']],
  ['above', ['b 0 0 100 50', 'a 0 50 100 50']],
  ['below', ['a 0 0 100 50', 'b 0 50 100 50']],
] as const)('a terminal that is put %s of another gets half of its area', (side, areas) => {
  expect(drawn(putBeside(one, 'a', side, 'b'))).toEqual(areas)
})

test('a terminal that is shown already moves', () => {
  const row = arranged(['a', 'b', 'c'], 'columns') ?? one
  expect(terminalsOf(putBeside(row, 'a', 'left', 'c'))).toEqual(['c', 'a', 'b'])
  expect(putBeside(row, 'a', 'left', 'a')).toEqual(row)
})

test('a terminal that is put into a slot replaces its terminal, or changes places with it', () => {
  const row = arranged(['a', 'b'], 'columns') ?? one
  expect(terminalsOf(putInto(row, 'a', 'c'))).toEqual(['c', 'b'])
  expect(terminalsOf(putInto(row, 'a', 'b'))).toEqual(['b', 'a'])
})

test('the neighbour of a removed terminal gets its area', () => {
  const row = arranged(['a', 'b', 'c'], 'rows') ?? one
  expect(drawn(without(row, 'b') ?? one)).toEqual(['a 0 0 100 33', 'c 0 33 100 67'])
  expect(without(one, 'a')).toBeNull()
})

test.each([
  ['columns', ['a 0 0 33 100', 'b 33 0 33 100', 'c 67 0 33 100']],
  ['rows', ['a 0 0 100 33', 'b 0 33 100 33', 'c 0 67 100 33']],
  ['grid', ['a 0 0 50 50', 'b 50 0 50 50', 'c 0 50 100 50']],
] as const)('terminals in %s have the same space', (arrangement, areas) => {
  const layout = arranged(['a', 'b', 'c'], arrangement)
  expect(layout === null ? [] : drawn(layout)).toEqual(areas)
})

test('a divider moves its own split, and not beyond the least share', () => {
  const grid = arranged(['a', 'b', 'c', 'd'], 'grid') ?? one
  const [rows, upper] = dividersOf(grid)
  expect(drawn(withShare(grid, rows?.path ?? '-', 0.2))).toEqual([
    'a 0 0 50 20',
    'b 50 0 50 20',
    'c 0 20 50 80',
    'd 50 20 50 80',
  ])
  const moved = withShare(grid, upper?.path ?? '-', 0.001)
  expect(drawn(moved)[0]).toBe(`a 0 0 ${shareMin * 100} 50`)
})

test.each([
  ['no layout', null],
  ['no terminal', { direction: 'row', first: {}, second: { terminalId: 'a' }, share: 0.5 }],
  ['an unknown direction', { direction: 'up', first: { terminalId: 'b' }, second: { terminalId: 'a' }, share: 0.5 }],
  ['no share', { direction: 'row', first: { terminalId: 'b' }, second: { terminalId: 'a' }, share: 'x' }],
  ['a share of all', { direction: 'row', first: { terminalId: 'b' }, second: { terminalId: 'a' }, share: 1 }],
  ['a terminal twice', { direction: 'row', first: { terminalId: 'a' }, second: { terminalId: 'a' }, share: 0.5 }],
  [
    'too many terminals',
    arranged(
      Array.from({ length: slotsMax + 1 }, (_, at) => `t${at}`),
      'columns',
    ),
  ],
])('a stored layout with %s is not used', (_, stored) => {
  expect(parseLayout(stored)).toBeNull()
})

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom('beside', 'into', 'without', 'share'),
    at: fc.integer({ min: 0, max: 7 }),
    side: fc.constantFrom(...sides),
    terminalId: fc.integer({ min: 0, max: 7 }),
    share: fc.double({ min: -1, max: 2, noNaN: true }),
  }),
  { maxLength: 30 },
)

test('after any changes, the slots fill the area, no terminal is twice, and the layout can be stored', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      let layout: Layout = { terminalId: 't0' }
      for (const { verb, at, side, terminalId, share } of changes) {
        const ids = terminalsOf(layout)
        const shown = ids[at % ids.length] ?? ''
        if (verb === 'beside') layout = putBeside(layout, shown, side, `t${terminalId}`)
        else if (verb === 'into') layout = putInto(layout, shown, `t${terminalId}`)
        else if (verb === 'without') layout = without(layout, shown) ?? layout
        else layout = withShare(layout, dividersOf(layout)[at]?.path ?? '', share)
      }
      const slots = slotsOf(layout)
      expect(slots.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(1)
      expect(parseLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
    }),
  )
})
