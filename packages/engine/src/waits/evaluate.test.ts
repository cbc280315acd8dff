import assert from 'node:assert/strict'
import type { Condition } from '@agentpty/protocol/call'
import { describe, expect, test } from 'vitest'
import { evaluate, type WaitView } from './evaluate.ts'

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

test('of several the earliest is checked first', () => {
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
