/** Reads the records of kept files. native/ptyhost/src/gate_keep.h has their form. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KeptReason, keptReasons } from '@agentpty/protocol/effects'
import { isAbsent, namesIn } from '../files/index.ts'

export const keptWays = ['link', 'copy', 'folder', 'lost'] as const

/** A name of a file as its bytes, one character each: not every name is valid UTF-8. */
export type RawPath = string
export const rawPath = (path: string): RawPath => Buffer.from(path).toString('latin1')
export const shownPath = (path: RawPath): string => Buffer.from(path, 'latin1').toString()

export interface KeptRecord {
  readonly job: string
  /** In milliseconds since 1970. */
  readonly at: number
  readonly why: KeptReason
  readonly how: (typeof keptWays)[number]
  readonly mode: number
  readonly size: number
  /** The kept file; null for a folder, and where there is none. */
  readonly file: string | null
  readonly path: RawPath
}

/** A job with its records, the oldest first. */
export interface RecordedJob {
  program: string
  command: string
  readonly records: KeptRecord[]
}

/** By the number of the job. */
export type RecordedJobs = Map<string, RecordedJob>

export const recordsOf = (segment: string): string => join(segment, 'records')

/** Segments of a terminal’s folder, the oldest first; those that an undo has made come last. */
export function segmentsIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => /^u?\d+$/.test(name))
  const orderOf = (name: string) => [name.startsWith('u') ? 1 : 0, Number(name.replace('u', ''))] as const
  return names
    .map((name) => ({ name, order: orderOf(name) }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1])
    .map(({ name }) => join(folder, name))
}

/** The records of a terminal’s folder, whose kept files are still there or not. */
export function readKept(folder: string): RecordedJobs {
  const jobs: RecordedJobs = new Map()
  for (const segment of segmentsIn(folder)) parseKept(readRecords(segment), segment, jobs)
  return jobs
}

/** Returns the paths of all files in a segment, its records included. */
export const filesIn = (segment: string): ReadonlySet<string> => {
  try {
    return new Set(readdirSync(segment).map((name) => join(segment, name)))
  } catch (error) {
    if (isAbsent(error)) return new Set()
    throw error
  }
}

/** Empty where there are none yet. */
export function readRecords(segment: string): Buffer {
  try {
    return readFileSync(recordsOf(segment))
  } catch (error) {
    if (isAbsent(error)) return Buffer.alloc(0)
    throw error
  }
}

const fieldCounts = { job: 3, file: 8 } as const
const isKind = (word: string): word is keyof typeof fieldCounts => Object.hasOwn(fieldCounts, word)

/** Adds the records of a segment. A torn one at the end, and everything behind a record of another version, is left out. */
export function parseKept(bytes: Buffer, segment: string, jobs: RecordedJobs): void {
  // Whole records end with a zero.
  const words = bytes.toString('latin1').split('\0').slice(0, -1)
  for (let at = 0; at < words.length; ) {
    const kind = words[at] ?? ''
    if (!isKind(kind) || at + fieldCounts[kind] >= words.length) break
    const fields = words.slice(at + 1, at + 1 + fieldCounts[kind])
    if (kind === 'job') addJob(fields, jobs)
    else addRecord(fields, segment, jobs)
    at += 1 + fieldCounts[kind]
  }
}

function jobIn(jobs: RecordedJobs, id: string): RecordedJob {
  const known = jobs.get(id) ?? { program: '', command: '', records: [] }
  jobs.set(id, known)
  return known
}

/** A job is named in each segment that holds files of it, by the process that acts then. */
function addJob([id = '', program = '', command = '']: readonly string[], jobs: RecordedJobs): void {
  const job = jobIn(jobs, id)
  if (job.program !== '') return
  job.program = shownPath(program)
  job.command = shownPath(command).trim()
}

function addRecord(fields: readonly string[], segment: string, jobs: RecordedJobs): void {
  const record = recordOf(fields, segment)
  if (record !== null) jobIn(jobs, record.job).records.push(record)
}

function recordOf(fields: readonly string[], segment: string): KeptRecord | null {
  const [job = '', at, reason, way, mode = '', size, name = '', path = ''] = fields
  const why = keptReasons.find((one) => one === reason)
  const how = keptWays.find((one) => one === way)
  const numbers = { at: Number(at), mode: Number.parseInt(mode, 8), size: Number(size) }
  const isWhole = Object.values(numbers).every(Number.isSafeInteger) && path.startsWith('/')
  if (why === undefined || how === undefined || !isWhole || !/^\d*$/.test(name)) return null
  const isFile = how === 'link' || how === 'copy'
  return { job, ...numbers, why, how, file: isFile ? join(segment, name) : null, path }
}

/** A record in the form in which it is read. */
export function writtenRecord({ job, at, why, how, mode, size, path }: KeptRecord, name: string): Buffer {
  return fieldsOf(['file', job, `${at}`, why, how, mode.toString(8), `${size}`, name, path])
}

export const writtenJob = (id: string, program: string, command: string): Buffer =>
  fieldsOf(['job', id, rawPath(program), rawPath(command)])

const fieldsOf = (fields: readonly string[]) =>
  Buffer.from(fields.map((field) => `${field.replaceAll('\0', '')}\0`).join(''), 'latin1')
