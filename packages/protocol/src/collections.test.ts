import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { BoundedMap, coalesced, KeyedQueue } from './collections.ts'

test('the entry that was written first is evicted first', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4])
})

test('an entry that makes room is reported, one that is deleted or written again is not', () => {
  const evicted: number[] = []
  const map = new BoundedMap<string, number>(1, (value) => evicted.push(value))
  map.set('a', 1)
  map.set('a', 2)
  map.set('b', 3)
  map.delete('b')
  assert.deepEqual(evicted, [2])
  assert.equal(map.entries.size, 0)
})

test('runs once for all calls that come together, and again for a later one', async () => {
  let runs = 0
  const soon = coalesced(() => {
    runs += 1
    if (runs === 2) soon()
  })
  soon()
  soon()
  expect(runs).toBe(0)
  await Promise.resolve()
  expect(runs).toBe(1)
  soon()
  await Promise.resolve()
  await Promise.resolve()
  expect(runs, 'a call made while it runs is not lost').toBe(3)
})

test('work on one thing waits for the work before it, even if that fails; other things do not', async () => {
  const turns = new KeyedQueue()
  const done: string[] = []
  let fail = (_error: Error) => {}
  const first = turns.run('a', () => new Promise<void>((_, reject) => (fail = reject)))
  const second = turns.run('a', async () => void done.push('second'))
  await turns.run('b', async () => void done.push('other'))
  assert.deepEqual(done, ['other'])
  fail(new Error('no'))
  await assert.rejects(first, /no/)
  await second
  assert.deepEqual(done, ['other', 'second'])
})
