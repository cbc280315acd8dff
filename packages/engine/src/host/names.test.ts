import { nameCharactersMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { assertIsName, nameTaken, numbered, numberedNote } from './names.ts'

const holder = { id: 'term-3', scope: null, clientEndedAt: null }
const asked = { scope: null, wall: 7_200_000 }

test('a name that is taken is refused with the id of its terminal and the next move', () => {
  const error = nameTaken('server', holder, asked)
  expect(error).toMatchObject({ code: 'name_taken', message: 'term-3 is named "server".' })
  expect(error.hint).toBe('Use it by its id term-3, close it, or choose another name.')
})

test('the refusal says when the client of the other terminal has ended', () => {
  const ended = nameTaken('server', { ...holder, clientEndedAt: 0 }, asked)
  expect(ended.message).toBe('term-3 is named "server" (client ended 2 h ago).')
})

test('a caller with a scope gets no id of a terminal outside of it', () => {
  const scoped = { ...asked, scope: 'scope-1' }
  expect(nameTaken('server', holder, scoped).message).not.toContain('term-3')
  expect(nameTaken('server', holder, scoped).hint).not.toContain('term-3')
  expect(numberedNote('server', 'server-2', holder, scoped)).not.toContain('term-3')
  expect(nameTaken('server', { ...holder, scope: 'scope-1' }, scoped).message).toContain('term-3')
})

test('a name that is being opened is refused without an id', () => {
  expect(nameTaken('server', null, asked).message).toBe('A terminal named "server" is being opened.')
})

test('the first free number is taken, and the name stays within its bound', () => {
  const used = new Set(['server', 'server-2', 'server-3'])
  expect(numbered('server', (name) => !used.has(name))).toBe('server-4')
  expect(numbered('x'.repeat(nameCharactersMax), () => true)).toBe(`${'x'.repeat(nameCharactersMax - 2)}-2`)
})

test('the note has the other terminal, its id, and the own name', () => {
  expect(numberedNote('server', 'server-2', { ...holder, clientEndedAt: 0 }, asked)).toBe(
    'term-3 of another client is named "server" (client ended 2 h ago). This terminal is named "server-2". To use the other one, pass its id term-3.',
  )
})

test('a name that reads like an id is refused', () => {
  expect(() => assertIsName('term-12')).toThrow('looks like the id')
  assertIsName('server')
})
