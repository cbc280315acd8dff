import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
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

test('a file that cannot be read is an error: an id must not be given twice', () => {
  const path = join(folder, 'last-id')
  mkdirSync(path)
  assert.throws(() => idCounter(path))
})
