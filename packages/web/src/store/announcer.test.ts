import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { Announcer } from './announcer.ts'

function announcing() {
  const clock = new FakeClock()
  const said: string[] = []
  return { clock, said, announcer: new Announcer({ clock, say: (words) => said.push(words) }) }
}

test('announces the first message immediately and later ones together after a pause', () => {
  const { clock, said, announcer } = announcing()
  announcer.add(['build: your turn'])
  announcer.add(['a asks: Go on?'])
  announcer.add(['b: exited with 2', 'a asks: Go on?'])
  expect(said).toEqual(['build: your turn'])
  clock.advance(3_000)
  expect(said).toEqual(['build: your turn', 'a asks: Go on?. b: exited with 2'])
})

test('names four of many messages and counts the rest, leaving no timer', () => {
  const { clock, said, announcer } = announcing()
  announcer.add(['first'])
  for (let at = 0; at < 100; at++) announcer.add([`${at}`])
  clock.advance(60_000)
  expect(said).toEqual(['first', '0. 1. 2. 3. and 96 more'])
  expect(clock.pending).toBe(0)
})

test('may repeat a message after the pause', () => {
  const { clock, said, announcer } = announcing()
  for (let time = 0; time < 2; time++) {
    announcer.add(['build: your turn'])
    clock.advance(10_000)
  }
  expect(said).toEqual(['build: your turn', 'build: your turn'])
})
