import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import type { TurnAnswer } from './judge-turn.ts'
import { TurnFeed } from './turn-feed.ts'

function busyUntil(recheckAt: number | null, evidence: readonly string[] = []): TurnAnswer {
  const verdict = { state: 'busy', kind: null, confidence: 'high', needs: null, question: null } as const
  return { verdict: { ...verdict, evidence, rule: '', since: 0 }, recheckAt, asksHost: false }
}

/** A feed that judges: it publishes what `works` says the program does. */
function feedOf(clock: FakeClock, works: () => string): TurnFeed {
  const feed: TurnFeed = new TurnFeed(clock, () => feed.publish(busyUntil(null, [works()])))
  return feed
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

test('only a listener that wants evidence gets it, each change at most once in 100 ms, and the last one always', () => {
  const clock = new FakeClock()
  let works = 'loads'
  const feed = feedOf(clock, () => works)
  const seen: Record<'evidence' | 'turns', string[]> = { evidence: [], turns: [] }
  feed.listen(({ evidence }) => seen.turns.push(...evidence), busyUntil(null, [works]))
  feed.listen(({ evidence }) => seen.evidence.push(...evidence), busyUntil(null, [works]), { wantsEvidence: true })
  const before = [...seen.turns]
  for (works of ['reads', 'parses', 'compiles']) feed.publish(busyUntil(null, [works]))
  expect(seen.evidence).toEqual(['loads'])
  clock.advance(100)
  expect(seen.evidence).toEqual(['loads', 'compiles'])
  clock.advance(100)
  works = 'links'
  feed.publish(busyUntil(null, [works]))
  expect(seen.evidence).toEqual(['loads', 'compiles', 'links'])
  expect(seen.turns).toEqual(before)
})
