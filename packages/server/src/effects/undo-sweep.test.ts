import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writtenJob, writtenRecord } from './undo-records.ts'
import { sweepKept } from './undo-sweep.ts'

const bounds = { bytes: 1_000, files: 10, age: 1_000 }
const now = 10_000

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-undo-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Kept {
  readonly terminalId: string
  readonly segment?: string
  readonly job: string
  readonly at: number
  readonly sizes: readonly number[]
}

function keep({ terminalId, segment = '0', job, at, sizes }: Kept): void {
  const path = join(folder, terminalId, segment)
  mkdirSync(path, { recursive: true })
  const names = sizes.map((_size, index) => `${job}${index}`)
  const records = sizes.map((size, index) => {
    const name = names[index] ?? ''
    writeFileSync(join(path, name), Buffer.alloc(size))
    return writtenRecord(
      { job, at, why: 'delete', how: 'link', mode: 0o644, size, file: join(path, name), path: `/proj/${name}` },
      name,
    )
  })
  writeFileSync(join(path, 'records'), Buffer.concat([writtenJob(job, 'rm', 'rm'), ...records]), { flag: 'a' })
}

function swept(kept: readonly Kept[], open: readonly string[] = []): (path: string) => boolean {
  for (const one of kept) keep(one)
  sweepKept({ folder, isOpen: (id) => open.includes(id), now, bounds })
  return (path) => existsSync(join(folder, path))
}

test('the oldest jobs are removed whole when there is too much of them', () => {
  const exists = swept([
    { terminalId: 'term-1', job: '1', at: 9_500, sizes: [300, 300] },
    { terminalId: 'term-2', job: '1', at: 9_600, sizes: [300] },
    { terminalId: 'term-2', job: '2', at: 9_700, sizes: [300] },
  ])
  expect(exists('term-1')).toBe(false)
  expect([exists('term-2/0/10'), exists('term-2/0/20')]).toEqual([true, true])
})

test('too many files are too much as well', () => {
  const exists = swept([
    { terminalId: 'term-1', job: '1', at: 9_500, sizes: [1] },
    { terminalId: 'term-1', job: '2', at: 9_600, sizes: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] },
  ])
  expect([exists('term-1/0/10'), exists('term-1/0/20')]).toEqual([false, true])
})

test('old ones are removed, and with the last one the folder of a closed terminal', () => {
  const kept = [{ terminalId: 'term-1', job: '1', at: 1, sizes: [1] }]
  expect(swept(kept)('term-1')).toBe(false)
  const exists = swept(kept, ['term-1'])
  expect([exists('term-1/0/records'), exists('term-1/0/10')]).toEqual([true, false])
})

test('of an open terminal only the newest segment stays without files', () => {
  const exists = swept(
    ['0', '1', 'u1'].map((segment) => ({ terminalId: 'term-1', segment, job: '1', at: 1, sizes: [1] })),
    ['term-1'],
  )
  expect([exists('term-1/0'), exists('term-1/1'), exists('term-1/u1')]).toEqual([false, true, false])
})

test('what is not there is no error', () => {
  sweepKept({ folder: join(folder, 'none'), isOpen: () => false, now, bounds })
  expect(readdirSync(folder)).toEqual([])
})
