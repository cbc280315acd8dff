import { expect, test } from 'vitest'
import { playKeys } from './player.ts'

test.each([
  [' \x1b[C\x1b[D', ['pause', 'forward', 'back']],
  ['\x1b[H\x1bOH\x1b[1~', ['begin', 'begin', 'begin']],
  ['\x1b[F\x1bOF\x1b[4~', ['end', 'end', 'end']],
  ['np+-q', ['next', 'previous', 'faster', 'slower', 'leave']],
  ['\x1b', ['leave']],
])('%j is read as the keys of the player', (typed, keys) => {
  expect(playKeys(typed)).toEqual(keys)
})

test('a key that does nothing here does not leave, although it begins with Escape', () => {
  expect(playKeys('\x1b[5~\x1b[1;5C\x1bOP')).toEqual([])
})
