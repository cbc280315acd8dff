import assert from 'node:assert/strict'
import { waitingForLine } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { RestMemory } from './rest.ts'

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

test('how it rested is known whatever ended the rest', () => {
  assert.equal(remembers(['', 'itself']).lastRest?.waiter, 200)
})
