import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import type { TurnAnswer } from './judge-turn.ts'
import { TurnFeed } from './turn-feed.ts'

function busyUntil(recheckAt: number): TurnAnswer {
  const verdict = { state: 'busy', kind: null, confidence: 'high', needs: null, question: null } as const
  return { verdict: { ...verdict, evidence: [], since: 0 }, recheckAt, asksHost: false }
}

test('a listener that comes after the last one left is served by a timer of its own', () => {
  const clock = new FakeClock()
  let checks = 0
  const feed = new TurnFeed(clock, () => {
    checks += 1
  })
  const dueAt = clock.now() + 10
  const stop = feed.listen(() => {}, busyUntil(dueAt))
  stop()
  feed.listen(() => {}, busyUntil(dueAt))
  clock.advance(10)
  expect(checks).toBe(1)
})
