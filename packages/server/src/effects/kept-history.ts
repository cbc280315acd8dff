/** The jobs that have deleted or overwritten files, for the timelines of their terminals. Only a segment that has grown is read again. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedDeletion } from '@agentpty/protocol/effects'
import { parseKept, type RecordedJobs, readRecords, recordsOf, segmentsIn } from './undo-records.ts'

interface ReadSegment {
  readonly size: number
  readonly jobs: readonly RecordedDeletion[]
}

/** With more segments the cache is emptied, and filled again as needed. */
const segmentsMax = 1_000

export class KeptHistory {
  readonly #folder: string
  readonly #read = new Map<string, ReadSegment>()

  constructor(folder: string) {
    this.#folder = folder
  }

  jobsOf(terminalId: string): readonly RecordedDeletion[] {
    const jobs = new Map<string, RecordedDeletion>()
    for (const segment of segmentsIn(join(this.#folder, terminalId)))
      for (const job of this.#jobsIn(segment, terminalId)) {
        const known = jobs.get(job.id)
        jobs.set(job.id, known === undefined ? job : { ...known, files: known.files + job.files })
      }
    return [...jobs.values()]
  }

  #jobsIn(segment: string, terminalId: string): readonly RecordedDeletion[] {
    const size = statSync(recordsOf(segment), { throwIfNoEntry: false })?.size ?? 0
    const known = this.#read.get(segment)
    if (known?.size === size) return known.jobs
    const found: RecordedJobs = new Map()
    parseKept(readRecords(segment), segment, found)
    const jobs = [...found].map(([id, { program, command, records }]) => ({
      id: `${terminalId}.${id}`,
      at: records[0]?.at ?? 0,
      program,
      command,
      files: new Set(records.map(({ path }) => path)).size,
    }))
    if (this.#read.size >= segmentsMax) this.#read.clear()
    this.#read.set(segment, { size, jobs })
    return jobs
  }
}
