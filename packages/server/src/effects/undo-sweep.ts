/** Removes old kept files, so that all of them stay within their bounds. */

import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@agentpty/protocol'
import { undoBytesMax, undoFilesMax, undoKeptMs, undoSweepMs } from '@agentpty/protocol/effects'
import { isAbsent, namesIn } from '../files/index.ts'
import { filesIn, type KeptRecord, readKept, segmentsIn } from './undo-records.ts'

export interface UndoBounds {
  readonly bytes: number
  readonly files: number
  /** In milliseconds. */
  readonly age: number
}

const undoBounds: UndoBounds = { bytes: undoBytesMax, files: undoFilesMax, age: undoKeptMs }

interface Sweep {
  readonly folder: string
  /** Terminals that are still there: they may keep more in their newest segment. */
  readonly isOpen: (terminalId: string) => boolean
  readonly now: number
  readonly bounds: UndoBounds
}

interface SweepOptions {
  readonly folder: string
  readonly clock: Clock
  readonly isOpen: Sweep['isOpen']
  readonly log: (text: string) => void
}

/** Sweeps now and then, for as long as the process runs. */
export function sweepInTime(options: SweepOptions): void {
  const { folder, clock, isOpen, log } = options
  clock.callAt(clock.now() + undoSweepMs, () => {
    try {
      sweepKept({ folder, isOpen, now: clock.wall(), bounds: undoBounds })
    } catch (error) {
      log(`Old files in ${folder} could not be removed: ${String(error)}`)
    }
    sweepInTime(options)
  })
}

/** Removes the files of whole jobs, the oldest first, and the folders in which none is left. */
export function sweepKept({ folder, isOpen, now, bounds }: Sweep): void {
  const jobs = namesIn(folder)
    .flatMap((terminalId) => keptJobs(join(folder, terminalId)))
    .sort((a, b) => b.at - a.at)
  let files = 0
  let bytes = 0
  for (const job of jobs) {
    files += job.files.length
    bytes += job.bytes
    const isOver = files > bounds.files || bytes > bounds.bytes || now - job.at > bounds.age
    if (isOver) for (const file of job.files) rmSync(file, { force: true })
  }
  for (const terminalId of namesIn(folder)) removeEmpty(join(folder, terminalId), isOpen(terminalId))
}

function keptJobs(folder: string) {
  const there = new Set(segmentsIn(folder).flatMap((segment) => [...filesIn(segment)]))
  return [...readKept(folder).values()].map(({ records }) => {
    const kept = records.filter(({ file }) => file !== null && there.has(file))
    return {
      // The last file says how long ago it was: a long job goes on.
      at: records.at(-1)?.at ?? 0,
      files: kept.flatMap(({ file }) => file ?? []),
      bytes: kept.reduce((sum, record) => sum + bytesOf(record), 0),
    }
  })
}

/** Another name of a file that is still there takes no room. */
function bytesOf({ file, size }: KeptRecord): number {
  try {
    return file === null || lstatSync(file).nlink > 1 ? 0 : size
  } catch (error) {
    if (isAbsent(error)) return 0
    throw error
  }
}

function removeEmpty(folder: string, isOpen: boolean): void {
  const segments = segmentsIn(folder)
  const newest = segments.filter((segment) => !/\/u\d+$/.test(segment)).at(-1)
  const old = segments.filter((segment) => !(isOpen && segment === newest) && filesIn(segment).size <= 1)
  for (const segment of old) rmSync(segment, { recursive: true, force: true })
  if (old.length === segments.length && !isOpen) rmSync(folder, { recursive: true, force: true })
}
