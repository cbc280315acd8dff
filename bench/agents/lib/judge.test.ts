import { expect, test } from 'vitest'
import { judge, type Phase, wants } from './judge.ts'
import type { Sample, Verdict } from './verdict.ts'

const idle: Verdict = { state: 'ready', kind: 'agent' }
const busy: Verdict = { state: 'busy' }
const dialog: Verdict = { state: 'ready', kind: 'menu', needs: 'answer', question: 'Run it?' }

/** One sample every 50 ms, from 0 on. */
const samples = (...verdicts: readonly Verdict[]): readonly Sample[] =>
  verdicts.map((verdict, index) => ({ t: index * 50, answeredAt: index * 50 + 10, verdict }))

const phase = (options: Partial<Phase>): Phase => ({
  name: 'p',
  want: wants.idle,
  from: 0,
  to: 10_000,
  withinMs: 0,
  ...options,
})

test('a verdict that is right soon enough and stays so is right', () => {
  const row = judge(phase({ withinMs: 100 }), samples(busy, busy, idle, idle))
  expect(row).toMatchObject({ ok: true, afterMs: 100, wrong: 0 })
})

test('a verdict that is right too late is wrong', () => {
  expect(judge(phase({ withinMs: 60 }), samples(busy, busy, busy, idle))).toMatchObject({
    ok: false,
    afterMs: 150,
    wrong: 1,
  })
})

test('a verdict that does not stay right is wrong', () => {
  expect(judge(phase({}), samples(idle, idle, busy))).toMatchObject({ ok: false, afterMs: null, wrong: 1 })
})

test('a single sample that reports a working agent as done is an error', () => {
  expect(judge(phase({ want: wants.working }), samples(busy, idle, busy))).toMatchObject({ ok: false, wrong: 1 })
})

test('an agent that needs an answer is not idle, and a dialog without a question is not reported', () => {
  expect(judge(phase({}), samples(dialog)).ok).toBe(false)
  expect(judge(phase({ want: wants.blocked }), samples(dialog)).ok).toBe(true)
  expect(judge(phase({ want: wants.blocked }), samples({ ...dialog, question: '' })).ok).toBe(false)
})

test('a result after the end of a phase belongs to neither phase', () => {
  expect(judge(phase({ want: wants.working, to: 55 }), samples(busy, idle))).toMatchObject({ ok: true, samples: 1 })
})

test('a phase without samples is not right', () => {
  expect(judge(phase({ from: 5_000 }), samples(idle)).ok).toBe(false)
})
