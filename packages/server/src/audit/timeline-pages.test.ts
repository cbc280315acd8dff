import { expect, test } from 'vitest'
import { type PlacedItem, pageOfItems, placeText, readPlace, type TimelinePlace } from './timeline-pages.ts'

const sized = (at: number, n: number | null = null, offset = at): PlacedItem => ({
  item: { kind: 'size', at, offset, cols: 80, rows: 24 },
  name: `size-${offset}-${n}`,
  n,
})
const all = { since: 0, before: null, completeAfter: null, oldest: null } as const
const timesOf = (items: readonly PlacedItem[]) => items.map(({ item }) => item.at)

test('the newest entries are returned, the oldest of them first', () => {
  const { items, next } = pageOfItems([sized(3), sized(1), sized(2)], { ...all, limit: 2 })
  expect(timesOf(items)).toEqual([2, 3])
  expect(next).toMatchObject({ at: 2 })
})

test('pages chained tell each item once, whatever happened at the same time', () => {
  const items = [1, 1, 1, 1, 2, 2, 5, 5, 5].map((at, index) => sized(at, index % 2 === 0 ? index : null, index))
  let before: TimelinePlace | null = null
  const returned: PlacedItem[] = []
  do {
    const page = pageOfItems(items, { ...all, before, limit: 2 })
    returned.unshift(...page.items)
    before = page.next === null ? null : readPlace(placeText(page.next))
  } while (before !== null)
  expect(returned).toEqual(items)
})

test('what is older than what was looked at in the journal waits for the next page', () => {
  const items = [sized(1), sized(5, 20), sized(9, 30)]
  const page = pageOfItems(items, { ...all, limit: 10, completeAfter: 6, oldest: 18 })
  expect(timesOf(page.items)).toEqual([9])
  // Record 20 was read and not returned: the next page must read it again.
  expect(page.next).toMatchObject({ at: 9, n: 21 })
  const empty = pageOfItems([sized(1)], { ...all, limit: 10, completeAfter: 6, oldest: 18 })
  expect(empty).toMatchObject({ items: [], next: { at: 6, n: 18 } })
  const last = pageOfItems([sized(1)], { ...all, before: empty.next, limit: 10 })
  expect([timesOf(last.items), last.next]).toEqual([[1], null])
})

test('a place that is none is refused with the next move', () => {
  expect(() => readPlace('yesterday')).toThrowError(/no place in a timeline/)
})
