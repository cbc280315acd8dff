import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeptHistory } from './kept-history.ts'
import { recordsOf, writtenJob, writtenRecord } from './undo-records.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-kept-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function record(segment: string, job: string, path: string, at = 1): void {
  const place = join(folder, 'term-1', segment)
  mkdirSync(place, { recursive: true })
  const kept = { job, at, why: 'delete', how: 'link', mode: 0o644, size: 1, file: null, path } as const
  appendFileSync(recordsOf(place), Buffer.concat([writtenJob(job, 'rm', `rm ${job}`), writtenRecord(kept, '0')]))
}

test('a job of several segments is one, and a file that it has deleted twice counts once', () => {
  record('0', '1', '/a', 5)
  record('0', '1', '/a', 6)
  record('1', '1', '/b', 7)
  record('1', '2', '/c', 8)
  expect(new KeptHistory(folder).jobsOf('term-1')).toEqual([
    { id: 'term-1.1', at: 5, program: 'rm', command: 'rm 1', files: 2 },
    { id: 'term-1.2', at: 8, program: 'rm', command: 'rm 2', files: 1 },
  ])
})

test('what is added later is seen, and what is removed is not', () => {
  const history = new KeptHistory(folder)
  expect(history.jobsOf('term-1')).toEqual([])
  record('0', '1', '/a')
  record('1', '2', '/b')
  expect(history.jobsOf('term-1')).toHaveLength(2)
  record('1', '3', '/c')
  rmSync(join(folder, 'term-1/0'), { recursive: true })
  expect(history.jobsOf('term-1').map(({ id }) => id)).toEqual(['term-1.2', 'term-1.3'])
})
