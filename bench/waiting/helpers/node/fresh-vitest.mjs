// a test for vitest: it takes its time
import { expect, test } from 'vitest'

test('adds', async () => {
  await new Promise((done) => setTimeout(done, 1500))
  expect(1 + 1).toBe(2)
})
