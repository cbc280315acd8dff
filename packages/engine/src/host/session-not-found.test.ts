import { expect, test } from 'vitest'
import { SessionNotFound } from './session-not-found.ts'

const session = (number: number, createdBy: string, more: { name?: string; mcpClient?: string } = {}) => ({
  info: { id: `term-${number}`, name: null, mcpClient: null, createdBy, ...more },
})

test('of many terminals five are listed, those of the caller first', () => {
  const others = [1, 2, 3, 4, 5, 6, 7].map((number) => session(number, 'other'))
  const own = [session(8, 'me', { name: 'build' }), session(9, 'adopted', { mcpClient: 'me' })]
  const error = new SessionNotFound('nope', [...others, ...own])
  expect(error.hint).toBe('Open: term-1, term-2, term-3, term-4, term-5 and 4 more.')
  const { code, message, hint } = error.forClient('me')
  expect([code, message]).toEqual(['session_not_found', 'No terminal "nope".'])
  expect(hint).toBe('Open: term-8 (build), term-9, term-1, term-2, term-3 and 4 more.')
})

test('where none is open the next move is to open one', () => {
  expect(new SessionNotFound('nope', [], 'closed by a limit')).toMatchObject({
    message: 'No terminal "nope": it was closed by a limit.',
    hint: 'None is open: start with terminal_create.',
  })
})
