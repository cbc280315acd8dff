/** Large answers are made for callers that are there, and have room. */

import { outputBytesMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { openFakeEngine } from '../../fake-engine.ts'
import { turnForLargeAnswer } from '../steps/observe.ts'

test.each(['read', 'recording'] as const)('%s makes no answer for a caller that has gone', async (verb) => {
  const { client, clock } = openFakeEngine()
  const { terminalId } = await client.call('create', { command: ['cat'], waitFor: 'output', waitTimeoutMs: 0 })
  const gone = AbortSignal.abort()
  const input = verb === 'read' ? { terminalId, raw: true, maxBytes: outputBytesMax } : { terminalId }
  let isOver = false
  const asked = client.call(verb, input, { signal: gone }).finally(() => {
    isOver = true
  })
  const refused = expect(asked).rejects.toMatchObject({ code: 'cancelled' })
  while (!isOver) {
    clock.advance(10)
    await new Promise(setImmediate)
  }
  await refused
})

test('a caller that asks for many and takes one at a time is made one at a time', async () => {
  const waiting: (() => void)[] = []
  let made = 0
  let taken = 0
  let most = 0
  const room = () => (made > taken ? new Promise<void>((resolve) => waiting.push(resolve)) : null)
  const context = { client: 'slow', cwd: '/', env: {}, room }
  const asked = Array.from({ length: 20 }, async () => {
    await turnForLargeAnswer(context)
    made += 1
    most = Math.max(most, made - taken)
    setImmediate(() => {
      taken += 1
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await Promise.all(asked)
  expect([made, most]).toEqual([20, 1])
})

test('between two large answers the event loop turns for everything else', async () => {
  const made: number[] = []
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const context = { client: 'fast', cwd: '/', env: {} }
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await turnForLargeAnswer(context)
      made.push(turns)
    }),
  )
  isOver = true
  const between = made.slice(1).map((turn, at) => turn - (made[at] ?? 0))
  expect(made).toHaveLength(5)
  expect(Math.min(...between)).toBeGreaterThanOrEqual(8)
})
