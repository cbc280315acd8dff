/** Lists kept files and puts them back. It works on the folder alone, with or without a daemon. */

import { appendFileSync, mkdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, invalidInput } from '@agentpty/protocol'
import type { KeptFile, KeptJob, UndoResult, UndoRoom } from '@agentpty/protocol/effects'
import { isAtOrBelow } from '@agentpty/shell-policy'
import { namesIn } from '../files/index.ts'
import { isSame, linkOrCopy, putBack, statAt } from './put-back.ts'
import {
  type KeptRecord,
  type RawPath,
  type RecordedJob,
  type RecordedJobs,
  rawPath,
  readKept,
  recordsOf,
  shownPath,
  writtenJob,
  writtenRecord,
} from './undo-records.ts'

interface UndoOptions {
  readonly folder: string
  readonly clock: Clock
}

export function undoRoom({ folder, clock }: UndoOptions): UndoRoom {
  const recordsOf = (id: string) => {
    const { terminalId, job } = partsOf(id)
    const found = readKept(join(folder, terminalId)).get(job)
    if (found === undefined) throw unknownJob(id)
    return { terminalId, records: firstOfEach(found.records), command: found.command }
  }
  return {
    list: () => listKept(folder),
    files: (id) => recordsOf(id).records.map(fileOf),
    undo: (id, paths) => {
      const { terminalId, records, command } = recordsOf(id)
      const wanted = records.filter(
        ({ path }) => paths.length === 0 || paths.some((one) => isAtOrBelow(path, rawPath(one))),
      )
      if (wanted.length === 0)
        throw invalidInput(`${id} has no such file: ${paths.join(', ')}.`, `List them: agentpty undo ${id} --show`)
      return undo(wanted, new Keeper(join(folder, terminalId), terminalId, `undo ${id}: ${command}`, clock))
    },
  }
}

const unknownJob = (id: string) =>
  invalidInput(`There is nothing to undo as "${id}".`, 'List what there is: agentpty undo')

/** Errors: `invalid_input`. */
function partsOf(id: string): { readonly terminalId: string; readonly job: string } {
  const [, terminalId = '', job = ''] = /^([\w-]+)\.(u?\d+)$/.exec(id) ?? []
  if (job === '') throw unknownJob(id)
  return { terminalId, job }
}

/** The first record of each path holds the file as it was before the job. */
function firstOfEach(records: readonly KeptRecord[]): readonly KeptRecord[] {
  const first = new Map<RawPath, KeptRecord>()
  for (const record of records) if (!first.has(record.path)) first.set(record.path, record)
  return [...first.values()]
}

/** Jobs of all terminals of which something can be put back or was lost, the newest last. */
export function listKept(folder: string): readonly KeptJob[] {
  return namesIn(folder)
    .flatMap((terminalId) => jobsOf(terminalId, readKept(join(folder, terminalId))))
    .filter(({ files, lost }) => files + lost > 0)
    .sort((a, b) => a.at - b.at)
}

function jobsOf(terminalId: string, jobs: RecordedJobs): readonly KeptJob[] {
  return [...jobs].map(([id, job]) => {
    const files = firstOfEach(job.records).map((record) => ({ record, state: stateOf(record) }))
    const kept = files.flatMap(({ record, state }) => (state === 'kept' ? record : []))
    const lost = files.flatMap(({ record, state }) => (state === 'lost' ? record : []))
    return keptJob(terminalId, id, job, { kept, lost })
  })
}

function keptJob(
  terminalId: string,
  id: string,
  { program, command, records }: RecordedJob,
  { kept, lost }: { readonly kept: readonly KeptRecord[]; readonly lost: readonly KeptRecord[] },
): KeptJob {
  return {
    id: `${terminalId}.${id}`,
    terminalId,
    at: records[0]?.at ?? 0,
    program,
    command,
    files: kept.length,
    bytes: kept.reduce((sum, { size }) => sum + size, 0),
    lost: lost.length,
    folder: shownPath(commonFolder([...kept, ...lost].map(({ path }) => path))),
  }
}

function commonFolder(paths: readonly RawPath[]): RawPath {
  let folder = dirname(paths[0] ?? '/')
  for (const path of paths) while (!isAtOrBelow(path, folder)) folder = dirname(folder)
  return folder
}

function fileOf(record: KeptRecord): KeptFile {
  return { path: shownPath(record.path), why: record.why, state: stateOf(record), bytes: record.size }
}

function stateOf({ how, file, path }: KeptRecord): KeptFile['state'] {
  if (how === 'lost') return 'lost'
  const current = statAt(Buffer.from(path, 'latin1'))
  if (file === null) return current === null ? 'kept' : 'same'
  const kept = statAt(file)
  if (kept === null) return 'gone'
  return current !== null && isSame(kept, current) ? 'same' : 'kept'
}

function undo(records: readonly KeptRecord[], keeper: Keeper): UndoResult {
  // Folders first, those above before those in them.
  const ordered = records.toSorted(
    (a, b) => Number(a.file !== null) - Number(b.file !== null) || a.path.length - b.path.length,
  )
  const ends = ordered.map((record) => ({ record, end: putBack(record, keeper.optionsFor(record)) }))
  return {
    back: ends.filter(({ end }) => end === 'back').length,
    same: ends.filter(({ end }) => end === 'same').length,
    failed: ends.flatMap(({ record, end }) =>
      typeof end === 'string' ? [] : [{ path: shownPath(record.path), reason: end.reason }],
    ),
    undo: keeper.id,
  }
}

/** Keeps what an undo replaces, as a job of its own. */
class Keeper {
  readonly #folder: string
  readonly #terminalId: string
  readonly #command: string
  readonly #clock: Clock
  #segment: { readonly path: string; readonly job: string; count: number } | null = null

  constructor(folder: string, terminalId: string, command: string, clock: Clock) {
    this.#folder = folder
    this.#terminalId = terminalId
    this.#command = command
    this.#clock = clock
  }

  /** Null when nothing was kept. */
  get id(): string | null {
    return this.#segment === null ? null : `${this.#terminalId}.${this.#segment.job}`
  }

  optionsFor({ path }: KeptRecord): Parameters<typeof putBack>[1] {
    return { keepCurrent: (current, stat) => this.#keep(path, current, stat), now: this.#clock.wall() }
  }

  #keep(path: RawPath, current: Buffer, stat: Stats): void {
    this.#segment ??= this.#begin()
    const segment = this.#segment
    const name = `${segment.count++}`
    const file = join(segment.path, name)
    const how = linkOrCopy(current, file, stat)
    const at = Math.round(this.#clock.wall())
    const record = {
      job: segment.job,
      at,
      why: 'replace',
      how,
      mode: stat.mode & 0o7777,
      size: stat.size,
      file,
      path,
    } as const
    appendFileSync(recordsOf(segment.path), writtenRecord(record, name))
  }

  #begin() {
    for (let number = 1; ; number++) {
      const job = `u${number}`
      const path = join(this.#folder, job)
      try {
        mkdirSync(path, { mode: 0o700 })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
        throw error
      }
      appendFileSync(recordsOf(path), writtenJob(job, 'agentpty', this.#command), { mode: 0o600 })
      return { path, job, count: 0 }
    }
  }
}
