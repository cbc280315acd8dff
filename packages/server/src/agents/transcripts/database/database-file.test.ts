/** Reads a database that a program wrote, and handles everything else that may be at its path. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseFile } from './database-file.ts'
import { columnsOf, type Pages, readRow, readVarint } from './pages.ts'

const recorded = join(dirname(fileURLToPath(import.meta.url)), '..', 'recorded', 'opencode.db')
const index = 'message_session_time_created_id_idx'
const conversation = 'ses_df7099d22ffeDa5M5Z7Z1fBoWU'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-database-'))
  path = join(folder, 'opencode.db')
  for (const end of ['', '-wal']) copyFileSync(`${recorded}${end}`, `${path}${end}`)
})
afterEach(() => rmSync(folder, { recursive: true }))

async function all(rows: AsyncGenerator<{ readonly values: Readonly<Record<string, unknown>> }>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const { values } of rows) found.push(values['id'])
  return found
}
const messages = (pages: Pages) => all(pages.rowsByIndex('message', index, conversation))
const everything = async (pages: Pages) => [
  ...(await all(pages.rowsFromEnd('session'))),
  ...(await messages(pages)),
  ...(await all(pages.rowsFromEnd('part'))),
]

test('rows come by an index, the last first, from the database and from its log', async () => {
  const database = new DatabaseFile(path)
  const found = (await database.read(messages)) ?? []
  expect(found).toHaveLength(7)
  expect(found).toEqual(found.toSorted().toReversed())
  // Rows that are only in the log are missing without it.
  rmSync(`${path}-wal`)
  const before = (await database.read(messages)) ?? []
  expect(before.length).toBeLessThan(found.length)
  expect(found.slice(-before.length)).toEqual(before)
  expect(await database.read((pages) => all(pages.rowsByIndex('message', index, 'ses_other')))).toEqual([])
})

test('a transaction that is not whole in the log has not happened', async () => {
  const whole = readFileSync(`${path}-wal`)
  const counts: (number | undefined)[] = []
  for (const bytes of [whole.length, whole.length - 1, 32]) {
    writeFileSync(`${path}-wal`, whole.subarray(0, bytes))
    counts.push((await new DatabaseFile(path).read(messages))?.length)
  }
  const [full, cut, none] = counts
  expect(full).toBe(7)
  expect(cut).toBe(none)
})

test('what comes into the log is there at the next look', async () => {
  const whole = readFileSync(`${path}-wal`)
  truncateSync(`${path}-wal`, 32)
  const database = new DatabaseFile(path)
  const state = await database.state()
  const before = await database.read(messages)
  writeFileSync(`${path}-wal`, whole)
  expect(await database.state()).not.toBe(state)
  expect((await database.read(messages))?.length).toBeGreaterThan(before?.length ?? 0)
})

test('whatever bytes are wrong, reading ends, without a defect', async () => {
  const database = readFileSync(path)
  const log = readFileSync(`${path}-wal`)
  const change = fc.record({ at: fc.nat(60_000), byte: fc.nat(255), inLog: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 40 }), async (changes) => {
      const one = Buffer.from(database)
      const other = Buffer.from(log)
      for (const { at, byte, inLog } of changes) {
        const bytes = inLog ? other : one
        bytes[at % bytes.length] = byte
      }
      writeFileSync(path, one)
      writeFileSync(`${path}-wal`, other)
      const found = await new DatabaseFile(path).read(everything)
      expect(found === null || Array.isArray(found)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('what is no database says nothing: nothing, text, a link', async () => {
  rmSync(`${path}-wal`)
  for (const text of ['', 'SQLite format 3\0', 'x'.repeat(5_000)]) {
    writeFileSync(path, text)
    expect(await new DatabaseFile(path).read(everything)).toBeNull()
  }
  rmSync(path)
  expect(await new DatabaseFile(path).read(everything)).toBeNull()
  expect(await new DatabaseFile(path).state()).toBeNull()
  symlinkSync(recorded, path)
  expect(await new DatabaseFile(path).read(everything)).toBeNull()
})

test('a table that is not there says nothing', async () => {
  expect(await new DatabaseFile(path).read((pages) => all(pages.rowsFromEnd('other')))).toBeNull()
})

test.each<[string, readonly string[]]>([
  ['CREATE TABLE a (id text PRIMARY KEY, b)', ['id', 'b']],
  [
    'CREATE TABLE `a` (\n`id` text, "my own" x, [c] real DEFAULT (1, 2), UNIQUE (id), CONSTRAINT z CHECK (b > 1))',
    ['id', 'my', 'c'],
  ],
  ["CREATE TABLE a (id text DEFAULT 'x, y)', b)", ['id', 'b']],
  ['CREATE VIRTUAL TABLE a', []],
])('the columns of %j are %j', (statement, columns) => expect(columnsOf(statement)).toEqual(columns))

test('numbers, texts and bytes of a row are what was written', () => {
  // Kinds: null, one byte, two bytes, 8 bytes, a real number, 0, 1, text of 2, bytes of 1.
  const kinds = [0, 1, 2, 6, 7, 8, 9, 17, 14]
  const values = Buffer.alloc(22)
  values.writeInt8(-1, 0)
  values.writeInt16BE(300, 1)
  values.writeBigInt64BE(1_795_446_707_245n, 3)
  values.writeDoubleBE(0.5, 11)
  values.write('hi\x07', 19)
  const row = Buffer.concat([Buffer.from([kinds.length + 1, ...kinds]), values])
  expect(readRow(row)).toEqual([null, -1, 300, 1_795_446_707_245, 0.5, 0, 1, 'hi', Buffer.from([7])])
  expect(readVarint(Buffer.from([0x81, 0x00]), 0)).toEqual([128, 2])
  expect(() => readRow(Buffer.from([3, 200, 1]))).toThrow(RangeError)
})
