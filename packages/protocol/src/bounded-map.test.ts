import assert from 'node:assert/strict'
import { test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

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
