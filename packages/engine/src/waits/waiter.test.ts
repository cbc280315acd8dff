import assert from 'node:assert/strict'
import type { Condition, Ending } from '@agentpty/protocol/call'
import type { Verdict } from '@agentpty/protocol/session'
import { FakeClock } from '@agentpty/protocol/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Evaluation, evaluate, Waiter, type WaitView } from './waiter.ts'

const now = 1_000
const deadline = 2_000

function turn(state: 'ready' | 'busy', recheckAt: number | null = null): WaitView['turn'] {
  const verdict = {
    state,
    kind: null,
    confidence: 'high' as const,
    needs: null,
    question: null,
    evidence: [],
    rule: '',
    since: 0,
  }
  return () => ({ verdict, recheckAt })
}

function view(rest: Partial<WaitView> = {}): WaitView {
  return {
    exited: false,
    since: 100,
    parsedTo: 100,
    lastOutputAt: 900,
    lastChangeAt: 900,
    lastCommandEnd: null,
    turn: turn('busy'),
    found: () => false,
    isSearching: () => false,
    ...rest,
  }
}

describe('holds', () => {
  test.each<[string, Condition, Partial<WaitView>]>([
    ['ready', { kind: 'ready', confidence: 'low' }, { turn: turn('ready') }],
    ['output past since', { kind: 'output' }, { parsedTo: 101 }],
    ['a command that ended past since', { kind: 'command' }, { lastCommandEnd: 100 }],
    ['the exit', { kind: 'exit' }, { exited: true }],
    ['a text', { kind: 'text', text: 'x' }, { found: () => true }],
    ['a pattern', { kind: 'pattern', pattern: 'x' }, { found: () => true }],
    ['quiet for long enough', { kind: 'quiet', ms: 100 }, {}],
    ['a picture stable for long enough', { kind: 'stable', ms: 100 }, {}],
  ])('%s', (_name, condition, seen) => {
    const { kind } = condition
    expect(evaluate([condition], view(seen), now, deadline)).toMatchObject({ ending: { outcome: 'met', by: kind } })
  })
})

describe('does not hold, and is checked again in time', () => {
  test.each<[string, Condition, Partial<WaitView>, number]>([
    ['busy', { kind: 'ready', confidence: 'low' }, {}, deadline],
    ['busy that may be ready soon', { kind: 'ready', confidence: 'low' }, { turn: turn('busy', 1_060) }, 1_060],
    ['no output past since', { kind: 'output' }, { parsedTo: 100 }, deadline],
    ['a command that ended before since', { kind: 'command' }, { lastCommandEnd: 99 }, deadline],
    ['a program that lives', { kind: 'exit' }, {}, deadline],
    ['a text that is not there', { kind: 'text', text: 'x' }, {}, deadline],
    ['not yet quiet for long enough', { kind: 'quiet', ms: 101 }, {}, 1_001],
    ['not yet stable for long enough', { kind: 'stable', ms: 150 }, {}, 1_050],
    ['quiet that the deadline comes before', { kind: 'quiet', ms: 5_000 }, {}, deadline],
  ])('%s', (_name, condition, seen, recheckAt) => {
    assert.deepEqual(evaluate([condition], view(seen), now, deadline), { ending: null, recheckAt })
  })
})

test('of several the first in the list that holds is named', () => {
  const conditions: Condition[] = [
    { kind: 'text', text: 'x' },
    { kind: 'output' },
    { kind: 'ready', confidence: 'low' },
  ]
  const seen = view({ parsedTo: 200, turn: turn('ready') })
  expect(evaluate(conditions, seen, now, deadline)).toMatchObject({ ending: { outcome: 'met', by: 'output' } })
})

test('the condition that may hold first sets the time of the next check', () => {
  const conditions: Condition[] = [
    { kind: 'quiet', ms: 700 },
    { kind: 'stable', ms: 300 },
    { kind: 'ready', confidence: 'low' },
  ]
  const seen = view({ turn: turn('busy', 1_500) })
  assert.deepEqual(evaluate(conditions, seen, now, deadline), { ending: null, recheckAt: 1_200 })
})

test('what holds goes before the exit, the exit before the time-out', () => {
  const text: Condition = { kind: 'text', text: 'x' }
  const late = view({ exited: true, found: () => true })
  expect(evaluate([text], late, deadline, deadline)).toMatchObject({ ending: { outcome: 'met', by: 'text' } })
  const ended = view({ exited: true })
  expect(evaluate([text], ended, deadline, deadline)).toMatchObject({ ending: { outcome: 'exited' } })
  expect(evaluate([text], view(), deadline, deadline)).toMatchObject({ ending: { outcome: 'timeout' } })
})

test('an exit does not end a wait whose output is still being searched before its time is up', () => {
  const text: Condition = { kind: 'text', text: 'x' }
  const seen = view({ exited: true, isSearching: () => true })
  assert.deepEqual(evaluate([text], seen, now, deadline), { ending: null, recheckAt: deadline })
  expect(evaluate([text], seen, deadline, deadline)).toMatchObject({ ending: { outcome: 'exited' } })
})

test('a wait for nothing that can hold still ends in time', () => {
  expect(evaluate([], view(), deadline - 1, deadline)).toEqual({ ending: null, recheckAt: deadline })
})

function open(evaluate: (now: number) => Evaluation, clock = new FakeClock()) {
  const abort = new AbortController()
  let settled = 0
  const count = () => {
    settled += 1
  }
  const waiter = new Waiter({ clock, evaluate, signal: abort.signal, settled: count })
  return { clock, abort, waiter, settled: () => settled }
}

const verdict: Verdict = {
  state: 'ready',
  kind: 'line',
  confidence: 'certain',
  needs: null,
  question: null,
  evidence: [],
  rule: '',
  since: 0,
}
const met: Ending = { outcome: 'met', by: 'ready', verdict }

test('the holder of the cancel function ends it, once', async () => {
  let cancel = () => {}
  let settled = 0
  const waiter = new Waiter({
    clock: new FakeClock(),
    signal: undefined,
    evaluate: () => ({ ending: null, recheckAt: Number.POSITIVE_INFINITY }),
    cancelWith: (handed) => {
      cancel = handed
    },
    settled: () => {
      settled += 1
    },
  })
  waiter.recheck()
  cancel()
  cancel()
  assert.deepEqual(await waiter.ending, { outcome: 'cancelled' })
  assert.equal(settled, 1)
})

test('it ends with the first evaluation that says so', async () => {
  let isMet = false
  const { waiter } = open(() => (isMet ? { ending: met } : { ending: null, recheckAt: Number.POSITIVE_INFINITY }))
  waiter.recheck()
  isMet = true
  waiter.recheck()
  assert.deepEqual(await waiter.ending, met)
})

test('it checks again by itself at the moment that was asked for, and only then', async () => {
  const clock = new FakeClock()
  const checks: number[] = []
  const begun = clock.now()
  const { waiter } = open((now) => {
    checks.push(now - begun)
    return now >= begun + 50 ? { ending: met } : { ending: null, recheckAt: begun + 50 }
  }, clock)
  waiter.recheck()
  waiter.recheck()
  clock.advance(49)
  assert.deepEqual(checks, [0, 0])
  clock.advance(1)
  assert.deepEqual(await waiter.ending, met)
  assert.deepEqual(checks, [0, 0, 50])
})

test('a timer that is due before stays when a later moment is asked for, and the later one is kept', async () => {
  const clock = new FakeClock()
  const checks: number[] = []
  const begun = clock.now()
  let recheckAt = begun + 10
  const { waiter } = open((now) => {
    checks.push(now - begun)
    return now >= begun + 50 ? { ending: met } : { ending: null, recheckAt }
  }, clock)
  waiter.recheck()
  recheckAt = begun + 50
  waiter.recheck()
  clock.advance(50)
  assert.deepEqual(await waiter.ending, met)
  assert.deepEqual(checks, [0, 0, 10, 50])
})

test('one that is abandoned keeps no timer and reports nothing', () => {
  const clock = new FakeClock()
  let checks = 0
  const { waiter, settled } = open((now) => {
    checks += 1
    return { ending: null, recheckAt: now + 10 }
  }, clock)
  waiter.recheck()
  waiter.abandon()
  clock.advance(100)
  assert.equal(checks, 1)
  assert.equal(settled(), 1)
})

test('a condition that cannot be evaluated fails the wait and nothing else', async () => {
  const { clock, waiter, settled } = open(() => {
    throw new Error('no such pattern')
  })
  waiter.recheck()
  await assert.rejects(waiter.ending, /no such pattern/)
  assert.deepEqual([settled(), clock.pending], [1, 0])
})

test('one whose caller has gone before it began is cancelled', async () => {
  const abort = new AbortController()
  abort.abort()
  const clock = new FakeClock()
  const waiter = new Waiter({ clock, evaluate: () => ({ ending: met }), signal: abort.signal, settled: () => {} })
  waiter.recheck()
  assert.deepEqual(await waiter.ending, { outcome: 'cancelled' })
})

test('whatever happens in whatever order, it settles exactly once and leaves no timer', async () => {
  const event = fc.constantFrom('recheck', 'abort', 'advance', 'meet', 'fail')
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (events) => {
      let next: 'wait' | 'meet' | 'fail' = 'wait'
      const { clock, abort, waiter, settled } = open((now) => {
        if (next === 'fail') throw new Error('broken')
        return next === 'meet' ? { ending: met } : { ending: null, recheckAt: now + 30 }
      })
      const ended = waiter.ending.catch(() => null)
      for (const one of events) {
        if (one === 'abort') abort.abort()
        else if (one === 'advance') clock.advance(20)
        else if (one === 'meet' || one === 'fail') next = one
        else waiter.recheck()
        assert.ok(settled() <= 1)
      }
      next = 'meet'
      waiter.recheck()
      await ended
      assert.deepEqual([settled(), clock.pending], [1, 0])
    }),
  )
})
