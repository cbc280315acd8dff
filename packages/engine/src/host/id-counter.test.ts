import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { idCounter } from './id-counter.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-ids-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('numbers go up from 1', () => {
  const next = idCounter(join(folder, 'last-id'))
  assert.deepEqual([next(), next(), next()], [1, 2, 3])
})

test('the next counter goes on where the last one was, however it ended', () => {
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
    expect.objectContaining({ code: 'environment', message: expect.stringContaining(path) }),
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

test('a file that is removed, with its folder, is made again and goes on', () => {
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
