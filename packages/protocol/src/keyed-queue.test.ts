import assert from 'node:assert/strict'
import { test } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

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
