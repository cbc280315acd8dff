import assert from 'node:assert/strict'
import type { Facts } from '@agentpty/protocol'
import { waitingForLine } from '@agentpty/protocol/testing'
import { describe, test } from 'vitest'
import { KnownWaits, RestMemory } from './rest.ts'

const wait = { facts: waitingForLine, restingSince: { host: 0, own: 0 }, asked: true, kind: null } as const

function remembers(...rests: readonly (readonly [before: string, endedBy: 'input' | 'itself'])[]): RestMemory {
  const memory = new RestMemory()
  for (const [before, endedBy] of rests) {
    memory.note(1, wait, { before, isSure: true })
    memory.ended(endedBy)
  }
  return memory
}

test('what only may have been a rest, and was ended by the program itself, was none', () => {
  const memory = new RestMemory()
  memory.note(1, wait, { before: 'ok 1', isSure: false })
  memory.ended('itself')
  assert.equal(memory.lastRest, null)
  assert.equal(memory.wentOn, true)
  memory.note(2, wait, { before: '> ', isSure: false })
  memory.ended('input')
  assert.notEqual(memory.lastRest, null)
  assert.equal(memory.wentOn, false)
})

test('a prompt is known once input has come there, whatever its number', () => {
  const memory = remembers(['In [1]: ', 'input'])
  assert.equal(memory.isKnownPrompt('In [2]: '), true)
  assert.equal(memory.isKnownPrompt('Out[2]: '), false)
})

test('a prompt is not known because it is on the screen', () => {
  const memory = new RestMemory()
  memory.note(1, wait, { before: '> ', isSure: true })
  assert.equal(memory.isKnownPrompt('> '), false)
})

test('text that the program replaced by itself is no prompt', () => {
  assert.equal(remembers(['working 1s', 'itself']).isKnownPrompt('working 2s'), false)
  assert.equal(remembers(['12:00:01', 'input'], ['12:00:02', 'itself']).isKnownPrompt('12:00:03'), false)
})

test('a prompt that a notice pushed down is known again after the next input', () => {
  const memory = remembers(['> ', 'input'], ['> ', 'itself'], ['> ', 'input'])
  assert.equal(memory.isKnownPrompt('> '), true)
})

test('the newest prompts are kept', () => {
  const letters = [...'abcdefghijklmnopqrst']
  const memory = remembers(...letters.map((letter) => [`${letter}> `, 'input'] as const))
  assert.equal(memory.isKnownPrompt('a> '), false)
  assert.equal(memory.isKnownPrompt('t> '), true)
})

test('a program that looked for input between naps is remembered until it waits for input in another way', () => {
  const facts: Facts = { ...waitingForLine, wait: 'none', activity: 'rounds', waiter: 0, foreground: 200 }
  const memory = new RestMemory()
  memory.note(1, { ...wait, facts, kind: 'password' }, { before: 'Code: *', isSure: true })
  memory.ended('input')
  assert.deepEqual([memory.lastNap, memory.lastRest], [{ foreground: 200, kind: 'password' }, null])
  // A second key of the same input ends no rest.
  memory.ended('input')
  assert.notEqual(memory.lastNap, null)
  memory.note(2, wait, { before: '> ', isSure: true })
  memory.ended('input')
  assert.equal(memory.lastNap, null)
})

test('the way a program rested is remembered, whatever ended the rest', () => {
  assert.equal(remembers(['', 'itself']).lastRest?.waiter, 200)
})

const normal = { alternateScreen: false }
const editor: Facts = { ...waitingForLine, wait: 'select', callSite: 1_000, timeoutMs: 4_000, canonical: false }

function answered(...waits: readonly Facts[]): KnownWaits {
  const known = new KnownWaits()
  for (const wait of waits) {
    known.note(wait, normal)
    known.ended('input')
  }
  return known
}

test('a wait is known once input has ended it, whatever has run since', () => {
  const known = new KnownWaits()
  known.note(editor, normal)
  assert.equal(known.has(editor, normal), false)
  known.ended('input')
  assert.equal(known.has({ ...editor, slices: 90, cpuMs: 5, timeoutMs: 3_900 }, normal), true)
})

describe('another wait is not the same', () => {
  test.each<[string, Partial<Facts>]>([
    ['at another place of the program, or for other descriptors', { callSite: 1_001 }],
    ['of another thread', { waiterThread: 201 }],
    ['in another kind of call', { wait: 'poll' }],
    ['with another program in the foreground', { foreground: 300 }],
    ['with the terminal in another mode', { canonical: true }],
    ['with a timer of its work', { timeoutMs: 1_000 }],
    ['without the timer it had', { timeoutMs: null }],
    ['of the terminal inside', { inner: true }],
    ['whose place is not known', { callSite: 0 }],
  ])('%s', (_name, differs) => {
    assert.equal(answered(editor).has({ ...editor, ...differs }, normal), false)
  })

  test('on the other screen', () => {
    assert.equal(answered(editor).has(editor, { alternateScreen: true }), false)
  })
})

test('a wait from which the program went on by itself is not believed any more', () => {
  const known = answered(editor)
  known.note(editor, normal)
  known.ended('itself')
  assert.equal(known.has(editor, normal), false)
  known.note(editor, normal)
  known.ended('input')
  assert.equal(known.has(editor, normal), false)
})

test('a new size says nothing of the wait', () => {
  const known = answered(editor)
  known.note(editor, normal)
  known.disturbed()
  known.ended('itself')
  assert.equal(known.has(editor, normal), true)
})

test('the newest waits are kept, and no more than a few dozen', () => {
  const waits = Array.from({ length: 100 }, (_, index): Facts => ({ ...editor, callSite: index + 1 }))
  const known = answered(...waits)
  assert.deepEqual(
    waits.filter((wait) => known.has(wait, normal)).map(({ callSite }) => callSite),
    Array.from({ length: 32 }, (_, index) => 69 + index),
  )
})

test('a place that is not known is never learned', () => {
  assert.equal(answered({ ...editor, callSite: 0 }).has({ ...editor, callSite: 0 }, normal), false)
})
