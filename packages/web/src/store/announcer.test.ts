import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { Announcer } from './announcer.ts'

function announcing() {
  const clock = new FakeClock()
  const said: string[] = []
  return { clock, said, announcer: new Announcer({ clock, say: (words) => said.push(words) }) }
}

test('the first is said at once, and what comes soon after it together, later', () => {
  const { clock, said, announcer } = announcing()
  announcer.add(['build: your turn'])
  announcer.add(['a asks: Go on?'])
  announcer.add(['b: exited with 2', 'a asks: Go on?'])
  expect(said).toEqual(['build: your turn'])
  clock.advance(3_000)
  expect(said).toEqual(['build: your turn', 'a asks: Go on?. b: exited with 2'])
})

test('of a crowd four are named and the others counted, and nothing is left behind', () => {
  const { clock, said, announcer } = announcing()
  announcer.add(['first'])
  for (let at = 0; at < 100; at++) announcer.add([`${at}`])
  clock.advance(60_000)
  expect(said).toEqual(['first', '0. 1. 2. 3. and 96 more'])
  expect(clock.pending).toBe(0)
})

test('the same may be said again afterwards', () => {
  const { clock, said, announcer } = announcing()
  for (let time = 0; time < 2; time++) {
    announcer.add(['build: your turn'])
    clock.advance(10_000)
  }
  expect(said).toEqual(['build: your turn', 'build: your turn'])
})
