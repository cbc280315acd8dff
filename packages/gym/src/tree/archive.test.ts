/** Archives as tar has them: the system's tar reads what is written here, and what it writes is read here. */

import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTermError } from '@agentpty/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ArchiveWriter, readArchive } from './archive.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plain = (path: string): string =>
  readArchive(readFileSync(path))
    .entries.map(({ path: parts }) => parts.join('/'))
    .join()

test.each(['gnu', 'ustar', 'posix'])('reads archives of the system’s tar in the format %s', (format) => {
  mkdirSync(join(folder, 'in/deep'), { recursive: true })

  const long = `${'d'.repeat(80)}/${'f'.repeat(90)}`
  mkdirSync(join(folder, 'in', long, '..'), { recursive: true })
  writeFileSync(join(folder, 'in', long), 'long')
  writeFileSync(join(folder, 'in/deep/script'), 'text', { mode: 0o755 })
  linkSync(join(folder, 'in/deep/script'), join(folder, 'in/deep/again'))
  symlinkSync('deep/script', join(folder, 'in/link'))
  execFileSync('mkfifo', [join(folder, 'in/pipe')])
  execFileSync('tar', [`--format=${format}`, '-C', join(folder, 'in'), '-cf', join(folder, 'a.tar'), '.'])
  const { entries, refused } = readArchive(readFileSync(join(folder, 'a.tar')))
  expect(refused).toBe(0)
  const found = new Map(
    entries.map(({ path, kind, content, target }) => [path.join('/'), { kind, text: `${content}${target}` }]),
  )
  expect(found.get(long)).toEqual({ kind: 'file', text: 'long' })
  expect(found.get('deep/again')).toEqual({ kind: 'file', text: 'text' })
  expect(found.get('deep/script')).toEqual({ kind: 'file', text: 'text' })
  expect(found.get('link')).toEqual({ kind: 'link', text: 'deep/script' })
  expect(found.get('pipe')).toEqual({ kind: 'other', text: '' })
  expect(found.get('deep')?.kind).toBe('folder')
})

test('names that are no text, and names of more than a hundred bytes, come back byte by byte', () => {
  fc.assert(
    fc.property(
      fc
        .uint8Array({ minLength: 1, maxLength: 300 })
        .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0x61 : byte)))),
      fc.uint8Array({ maxLength: 2_000 }),
      (name, content) => {
        fc.pre(!name.equals(Buffer.from('.')) && !name.equals(Buffer.from('..')))
        const writer = new ArchiveWriter()
        writer.file(name, 0o640, Buffer.from(content))
        const [entry] = readArchive(writer.end()).entries
        expect(entry?.path).toEqual([name])
        expect(entry?.content.equals(Buffer.from(content))).toBe(true)
        expect(entry?.mode).toBe(0o640)
      },
    ),
  )
})

test('bytes that are no archive, or are cut off, are refused with a reason', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      try {
        readArchive(Buffer.from(bytes))
      } catch (error) {
        expect(isTermError(error)).toBe(true)
      }
    }),
  )
  const writer = new ArchiveWriter()
  writer.file(Buffer.from('a'), 0o644, Buffer.alloc(2_000))
  const whole = writer.end()
  for (const length of [100, 511, 513, 1_500])
    expect(() => readArchive(whole.subarray(0, length))).toThrow(/cannot be read/)
})

test('an archive of nothing has nothing in it', () => {
  writeFileSync(join(folder, 'empty.tar'), new ArchiveWriter().end())
  expect(plain(join(folder, 'empty.tar'))).toBe('')
  expect(readArchive(Buffer.alloc(0))).toEqual({ entries: [], refused: 0 })
})
