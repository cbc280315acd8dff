/** Finds the records of one terminal in a journal of many files, page by page. */

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLineBytesMax, type TerminalRecord, type TerminalRecordsPage } from '@agentpty/protocol/audit'
import { expect, onTestFinished, test } from 'vitest'
import { terminalRecords } from './terminal-records.ts'

const fileOf = (first: number) => `audit-${String(first).padStart(12, '0')}.jsonl`
const callOf = (n: number, more: object = {}) => ({
  n,
  id: `au-${n}`,
  at: 1_000 * n,
  prev: '',
  kind: 'call',
  verb: 'send',
  who: { client: 'c' },
  session: n % 3 === 0 ? 'term-1' : 'term-10',
  text: 'x'.repeat(400),
  outcome: 'done',
  ...more,
})
const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('')

function open(files: Readonly<Record<number, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-records-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [first, text] of Object.entries(files)) writeFileSync(join(folder, fileOf(Number(first))), text)
  let written = 0
  const records = terminalRecords(folder, async () => void written++)
  const read = (before: number | null = null, limit = 10, since = 0) =>
    records.read({ terminalId: 'term-1', since, before, limit })
  return { folder, read, written: () => written }
}

/** Reads all pages like a caller would: incomplete items are requested again. */
async function all(read: (before: number | null) => Promise<TerminalRecordsPage>): Promise<readonly TerminalRecord[]> {
  const found = new Map<number, TerminalRecord>()
  let before: number | null = null
  for (let pages = 0; pages < 1_000; pages++) {
    const page: TerminalRecordsPage = await read(before)
    for (const record of page.records) found.set(record.n, record)
    if (page.completeAfter === null) return [...found.values()]
    before = page.oldest
  }
  throw new Error('it does not come to an end')
}

const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => callOf(from + index))

test('pages chained hold each record of the terminal once, over all files, and nothing of a terminal with a longer name', async () => {
  const { read, written } = open({ 1: lines(many(1, 700)), 700: lines(many(700, 1_500)) })
  const found = await all(read)
  expect(found.map(({ n }) => n)).toEqual(Array.from({ length: 499 }, (_, index) => 3 * (499 - index)))
  expect(written()).toBeGreaterThan(1)
})

test('a page reads no more of the files than it needs', async () => {
  const { read } = open({ 1: 'not read\n', 700: lines(many(700, 1_500)) })
  const page = await read(null, 5)
  expect(page.records.length).toBeGreaterThanOrEqual(5)
  expect(page.records.length).toBeLessThan(60)
  expect(page.completeAfter).toBeGreaterThan(1_000 * 1_300)
})

test('what is older than asked for is not looked at', async () => {
  const { read } = open({ 1: lines(many(1, 700)), 700: lines(many(700, 1_500)) })
  const page = await read(null, 1_000, 1_000 * 1_490)
  expect(page.records.map(({ n }) => n)).toEqual([1_497, 1_494, 1_491])
  expect(page.completeAfter).toBeNull()
})

test('a call has the end that was recorded later, and counts from when it began', async () => {
  const open1 = callOf(2, { session: 'term-1', outcome: 'open', begunAt: 1_500 })
  const end = { ...callOf(3), kind: 'end', of: 'au-2', outcome: 'cancelled', session: 'term-1' }
  const { read } = open({ 1: lines([callOf(1), open1, end]) })
  expect((await read()).records).toMatchObject([{ n: 2, outcome: 'cancelled', begunAt: 1_500 }])
})

test('torn lines and lines that are no records are passed over, also one that is longer than any record', async () => {
  const long = `{"session":"term-1","x":"${'y'.repeat(3 * auditLineBytesMax)}"}\n`
  const { read, folder } = open({ 1: `${lines([callOf(3)])}{"n":4,"session":"term-1"\n${long}${lines([callOf(6)])}` })
  appendFileSync(join(folder, fileOf(1)), '{"n":7,"session":"term-1","kind":"ca')
  expect((await read()).records.map(({ n }) => n)).toEqual([6, 3])
})

test('a journal that has lost its beginning says so, and one without files has nothing', async () => {
  expect(await open({ 700: lines(many(700, 710)) }).read()).toMatchObject({ isCut: true, completeAfter: null })
  expect(await open({ 1: lines(many(1, 9)) }).read()).toMatchObject({ isCut: false })
  expect(await open({}).read()).toEqual({ records: [], completeAfter: null, oldest: null, isCut: false })
})
