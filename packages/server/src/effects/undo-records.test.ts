import { expect, test } from 'vitest'
import { type KeptRecord, parseKept, type RecordedJobs, rawPath, writtenJob, writtenRecord } from './undo-records.ts'

const record: KeptRecord = {
  job: '2',
  at: 1_764_000_000_000,
  why: 'delete',
  how: 'link',
  mode: 0o640,
  size: 12,
  file: '/undo/term-3/0/7',
  path: rawPath('/proj/naïve\nfile'),
}

function parse(...pieces: readonly (Buffer | string)[]): RecordedJobs {
  const jobs: RecordedJobs = new Map()
  parseKept(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))), '/undo/term-3/0', jobs)
  return jobs
}

const job = writtenJob('2', 'rm', 'rm -rf build ')
const file = writtenRecord(record, '7')

test('what is written is read', () => {
  const named = { program: 'rm', command: 'rm -rf build' }
  expect(parse(job, file)).toEqual(new Map([['2', { ...named, records: [record] }]]))
  expect(parse(job, file, job, file).get('2')).toEqual({ ...named, records: [record, record] })
})

test('a name that is no UTF-8 keeps its bytes', () => {
  const path = Buffer.from([0x2f, 0xff, 0xfe]).toString('latin1')
  expect(parse(writtenRecord({ ...record, path }, '7')).get('2')?.records[0]?.path).toBe(path)
})

test('of a torn record nothing is read, whatever its length', () => {
  for (let length = 0; length < file.length; length++)
    expect(parse(job, file.subarray(0, length)).get('2')?.records).toEqual([])
})

test('behind a record of another version nothing is read', () => {
  expect(parse(job, file, 'later\0', file).get('2')?.records).toEqual([record])
})

test.each<[string, Partial<Record<'at' | 'why' | 'name' | 'path', string>>]>([
  ['another reason', { why: 'paint' }],
  ['no time', { at: 'noon' }],
  ['a name that leads elsewhere', { name: '../../x' }],
  ['a path that is not absolute', { path: 'x' }],
])(
  'a record with %s is left out, and those behind it are read',
  (_what, { at = '1', why = 'delete', name = '7', path = '/a' }) => {
    const wrong = ['file', '2', at, why, 'link', '644', '1', name, path].map((field) => `${field}\0`).join('')
    expect(parse(job, wrong, file).get('2')?.records).toEqual([record])
  },
)
