import assert from 'node:assert/strict'
import { test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('the entry that was written first is forgotten first', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4])
})
