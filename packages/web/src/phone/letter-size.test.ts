import { expect, test } from 'vitest'
import { letterSize } from './letter-size.ts'

const letterWidth = 7.8

test.each([
  ['a screen of 120 columns on a phone that is held upright', 120, 370, 13],
  ['the same on its side', 120, 720, 10],
  ['a screen that has room', 80, 720, 13],
  ['a screen of 40 columns on a phone that is held upright', 40, 370, 13],
  ['a screen that fits with small letters', 60, 370, 10.2],
  ['a screen that would need letters too small to read', 200, 720, 13],
])('%s: %i columns in %i pixels', (_what, cols, room, want) => {
  expect(letterSize(cols, { usualSize: 13, room, letterWidth })).toBe(want)
})
