import { expect, test } from 'vitest'
import { parseWaitFor, waitForChoices } from './wait-words.ts'

test.each([
  [['ready'], 'ready'],
  [['ready:high'], { ready: 'high' }],
  [['text:Listening on: 80'], { text: 'Listening on: 80' }],
  [['pattern:a|b'], { pattern: 'a|b' }],
  [['quiet:500'], { quietMs: 500 }],
  [
    ['stable:80', 'exit'],
    [{ stableMs: 80 }, 'exit'],
  ],
  [[], undefined],
])('%j', (words, want) => {
  expect(parseWaitFor(words)).toEqual(want)
})

test.each(['soon', 'ready:sure', 'text:', 'quiet:long', ':'])(
  '%j is nothing to wait for, and the error lists the choices',
  (word) => {
    expect(() => parseWaitFor([word])).toThrow(/nothing to wait for/)
  },
)

test('whatever is offered can be said', () => {
  for (const choice of waitForChoices) parseWaitFor([choice.endsWith(':') ? `${choice}1` : choice])
})
