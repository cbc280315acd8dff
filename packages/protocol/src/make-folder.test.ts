import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('folders are made on the way, for their user alone, and an existing one stays unchanged', () => {
  makeFolder(join(folder, 'a/b'))
  makeFolder(join(folder, 'a/b'))
  expect([statSync(join(folder, 'a')).mode & 0o777, statSync(join(folder, 'a/b')).mode & 0o777]).toEqual([0o700, 0o700])
})

test('the caller gets the error of the system', () => {
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('nowhere', join(folder, 'link'))
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow(/EEXIST.*file'/)
  expect(() => makeFolder(join(folder, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(folder, 'link'))).toThrow(/EEXIST/)
  // A folder of the kernel, in which no process makes one.
  expect(() => makeFolder('/proc/self/made')).toThrow(/ENOENT|EPERM|EACCES/)
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})
