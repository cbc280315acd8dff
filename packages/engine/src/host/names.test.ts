import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameCharactersMax } from '@agentpty/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertIsName, idCounter, nameTaken, numbered, numberedNote, SessionNotFound } from './names.ts'

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

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-ids-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('numbers go up from 1', () => {
  const next = idCounter(join(folder, 'last-id'))
  assert.deepEqual([next(), next(), next()], [1, 2, 3])
})

test('the next counter continues where the last one was, however it ended', () => {
  const path = join(folder, 'state', 'last-id')
  const first = idCounter(path)
  first()
  first()
  assert.equal(idCounter(path)(), 3)
  assert.equal(Number.parseInt(readFileSync(path, 'utf8'), 10), 3)
})

test('only its user can read it', () => {
  const path = join(folder, 'state', 'last-id')
  idCounter(path)()
  assert.deepEqual([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777], [0o600, 0o700])
})

test('a file that holds no number counts as none', () => {
  const path = join(folder, 'last-id')
  writeFileSync(path, 'garbage')
  assert.equal(idCounter(path)(), 1)
})

test('behind the last number that ptyhost can count there is none, and the file that says so is named', () => {
  const path = join(folder, 'last-id')
  writeFileSync(path, '4294967294\n')
  const next = idCounter(path)
  assert.equal(next(), 4_294_967_295)
  for (const one of [next, idCounter(path)])
    expect(one).toThrow(expect.objectContaining({ code: 'limit_reached', hint: expect.stringContaining(path) }))
  rmSync(path)
  assert.equal(idCounter(path)(), 1)
})

test('a folder in its place is named, with what to do', () => {
  const path = join(folder, 'last-id')
  mkdirSync(path)
  expect(() => idCounter(path)).toThrow(
    expect.objectContaining({ code: 'machine_unfit', message: expect.stringContaining(path) }),
  )
})

test.each<[string, string]>([
  ['nothing', ''],
  ['more than ptyhost can count', '9007199254740991\n'],
  ['a number that goes on and on', '9'.repeat(1_000_000)],
  ['a negative number', '-5'],
])('where it holds %s, the numbers go on behind the sessions that are there', (_what, text) => {
  const path = join(folder, 'last-id')
  writeFileSync(path, text)
  const next = idCounter(path, () => 7)
  assert.deepEqual([next(), next()], [8, 9])
  assert.equal(readFileSync(path, 'utf8'), '0000000000000009\n')
})

test('no number is given that is in use, whatever the file says', () => {
  const path = join(folder, 'last-id')
  writeFileSync(path, '0000000000000002\n')
  let inUse = 2
  const next = idCounter(path, () => inUse)
  assert.equal(next(), 3)
  inUse = 20
  assert.equal(next(), 21)
})

test('a file that is removed, with its folder, is made again and continues', () => {
  const path = join(folder, 'state', 'last-id')
  const next = idCounter(path)
  next()
  rmSync(join(folder, 'state'), { recursive: true })
  assert.equal(next(), 2)
  assert.equal(idCounter(path)(), 3)
})

test('a number that cannot be kept is not given, and the file is named', () => {
  const path = join(folder, 'last-id')
  const next = idCounter(path)
  next()
  rmSync(path)
  mkdirSync(path)
  expect(next).toThrow(path)
  rmSync(path, { recursive: true })
  assert.equal(next(), 2)
})

test('a file that cannot be read is an error: an id must not be given twice', () => {
  const path = join(folder, 'last-id')
  mkdirSync(path)
  assert.throws(() => idCounter(path))
})
