import { expect, test } from 'vitest'
import { readAction } from './read-action.ts'

test.each<[string, unknown, unknown]>([
  ['a string is entered', 'ls', 'ls'],
  ['a text alone too', { text: 'ls' }, 'ls'],
  ['also with the metadata that every action has', { text: 'ls', metadata: { tag: 1 } }, 'ls'],
  [
    'a text for another terminal',
    { text: 'ls', terminal: 'b' },
    { type: 'send', text: 'ls', enter: true, terminal: 'b' },
  ],
  ['a text without Enter', { text: 'ls', enter: false }, { type: 'send', text: 'ls', enter: false }],
  ['ours as they are', { type: 'keys', keys: ['escape'] }, { type: 'keys', keys: ['escape'] }],
  ['one in another', { action: { text: 'ls' } }, 'ls'],
  ['what Terminus writes', { keystrokes: 'ls\n' }, { keystrokes: 'ls\n', duration: 1 }],
])('%s', (_what, given, want) => {
  expect(readAction(given)).toEqual(want)
})

test.each([{}, { type: 'fly' }, { text: 'x', colour: 'red' }, { action: {} }, null, 3, { text: 3 }])(
  '%j is refused by its code',
  (given) => {
    expect(() => readAction(given)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  },
)
