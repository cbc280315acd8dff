import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesBelow, isExecutable, readBytesInside, readTextInside } from './folder-files.ts'
import { folderWith, removeFolders } from './folder-fixture.ts'
import { readJsonText, shapeFault } from './json-text.ts'
import { pathProblem } from './tree/resolve.ts'
import { writeWhole } from './whole-file.ts'

afterAll(removeFolders)

test.each<[string, string, RegExp]>([
  ['nothing', '', /empty/],
  ['an absolute path', '/etc/passwd', /absolute/],
  ['a drive', 'C:\\x', /absolute/],
  ['a way up', 'a/../../b', /"\.\."/],
  ['a way up on Windows', 'a\\..\\b', /"\.\."/],
  ['a zero character', 'a\0', /zero/],
])('%s leads nowhere', (_name, path, want) => {
  expect(pathProblem(path)).toMatch(want)
  expect(() => readBytesInside(folderWith({}), path, 10)).toThrow(want)
})

test('links inside are followed, and those that lead out are not', () => {
  const folder = folderWith({ 'a/b': 'x' })
  symlinkSync('a', join(folder, 'inside'))
  symlinkSync('../..', join(folder, 'a/out'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  expect(readTextInside(folder, 'inside/b', 10)).toBe('x')
  expect(readTextInside(folder, 'dangling', 10)).toBe(null)
  expect(() => filesBelow(folder, '.')).toThrow(/leads out of/)
})

test('a link to a folder above it is walked to a bound', () => {
  const folder = folderWith({})
  symlinkSync('.', join(folder, 'self'))
  expect(() => filesBelow(folder, '.')).toThrow(/more than 40 links/)
})

test('a pipe is refused and not waited for', () => {
  const folder = folderWith({})
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(() => readBytesInside(folder, 'pipe', 10)).toThrow(/is no plain file/)
  expect(() => filesBelow(folder, '.')).toThrow(/is no plain file/)
})

test('a file is read up to its bound', () => {
  const folder = folderWith({ exact: '1234567890', long: '12345678901' })
  expect(readTextInside(folder, 'exact', 10)).toBe('1234567890')
  expect(() => readTextInside(folder, 'long', 10)).toThrow(/longer than 10 bytes/)
  expect(readTextInside(folder, 'exact/below', 10)).toBe(null)
})

test('the rights to run a file are known', () => {
  const folder = folderWith({ a: '', b: '' })
  chmodSync(join(folder, 'a'), 0o755)
  expect([isExecutable(folder, 'a'), isExecutable(folder, 'b')]).toEqual([true, false])
})

test('a file is there whole, with nothing beside it', () => {
  const folder = folderWith({})
  writeWhole(join(folder, 'new/a.sh'), 'x', { mode: 0o755 })
  writeFileSync(join(folder, `new/a.sh.${process.pid}.part`), 'left by a process that was killed')
  writeWhole(join(folder, 'new/a.sh'), 'y', { mode: 0o755 })
  expect(readFileSync(join(folder, 'new/a.sh'), 'utf8')).toBe('y')
  expect(statSync(join(folder, 'new/a.sh')).mode & 0o100).not.toBe(0)
  expect(readdirSync(join(folder, 'new'))).toEqual(['a.sh'])
})

test('a file that cannot be written leaves the old one', () => {
  const folder = folderWith({ 'a/b': 'x' })
  expect(() => writeWhole(join(folder, 'a/b/c'), 'y')).toThrow(/cannot be written/)
  expect(existsSync(join(folder, 'a/b'))).toBe(true)
})

test.each<[string, string, RegExp]>([
  ['half a file', '{"a": ', /f: is no JSON/],
  ['a tower of lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested deeper/],
  ['a prototype, deep down', '[{"a": {"__proto__": 1}}]', /"__proto__"/],
  ['too much', `"${'x'.repeat(300_000)}"`, /longer than 250000 bytes/],
])('JSON is refused: %s', (_name, text, want) => {
  expect(() => readJsonText(text, { file: 'f', bytesMax: 250_000 })).toThrow(want)
})

test('a plain value has nothing wrong with it', () => expect(shapeFault([{ a: [1, null] }], 3)).toBe(null))
