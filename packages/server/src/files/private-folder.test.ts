import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensurePrivateFolder } from './private-file.ts'

const userId = process.getuid?.() ?? 0
let folder: string
let path: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentpty-private-')))
  path = join(folder, 'deep', 'run')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it is made for its user alone, and found again', () => {
  ensurePrivateFolder(path, userId)
  ensurePrivateFolder(path, userId)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test.each<[string, () => void, RegExp]>([
  ['a link to a folder of ours', () => symlinkSync(folder, path), /is a link/],
  ['a link to nowhere', () => symlinkSync('/nowhere/at/all', path), /is a link/],
  ['a file', () => writeFileSync(path, '', { mode: 0o600 }), /is no folder/],
  ['a folder that others may open', () => mkdirSync(path), /is open to other users/],
])('%s is refused with the reason', (_what, make, reason) => {
  mkdirSync(join(folder, 'deep'), { mode: 0o700 })
  make()
  if (reason.source.includes('open')) chmodSync(path, 0o755)
  expect(() => ensurePrivateFolder(path, userId)).toThrow(reason)
})

test('a folder of another user is refused', () => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  expect(() => ensurePrivateFolder(path, userId + 1)).toThrow(/belongs to another user/)
})

test('where it cannot be made the error says why', () => {
  writeFileSync(join(folder, 'deep'), '')
  expect(() => ensurePrivateFolder(path, userId)).toThrow(/cannot be made/)
})

test('a link above it is the user’s own matter', () => {
  mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'deep'))
  ensurePrivateFolder(path, userId)
  expect(statSync(join(folder, 'elsewhere', 'run')).isDirectory()).toBe(true)
})
