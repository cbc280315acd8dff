/**
 * Numbers for session ids, never given twice, not even after everything has ended: the last one is kept in a file. Where that file
 * is gone, or holds nonsense, the numbers go on after the highest one that is in use.
 */

import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, sessionNumberMax, TermError } from '@agentpty/protocol'

/** Always the same length and written in one go, so that a killed process never leaves half a number. */
const digits = 16

/**
 * `highestInUse` is asked each time. Path null: they are counted in memory, for an engine whose sessions end with it.
 * Errors: `limit_reached` when the number cannot be kept.
 */
export function idCounter(path: string | null, highestInUse: () => number = () => 0): () => number {
  let last = path === null ? 0 : readLast(path)
  return () => {
    const next = Math.max(last, highestInUse()) + 1
    if (next > sessionNumberMax) throw atItsEnd(path)
    if (path !== null) keep(path, next)
    last = next
    return next
  }
}

function atItsEnd(path: string | null): TermError {
  return new TermError(
    'limit_reached',
    `There is no number for another terminal: the last one is ${sessionNumberMax}.`,
    path === null
      ? 'Open them in another process.'
      : `Remove ${path} and run: agentpty stop. Numbers then go on after the highest one in use.`,
  )
}

/** Zero without a file. Errors: `environment` for a file that cannot be read, because an id might be given twice then. */
function readLast(path: string): number {
  const file = openToRead(path)
  try {
    const bytes = Buffer.alloc(digits * 2)
    const last = Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes)), 10)
    return last > 0 && last <= sessionNumberMax ? last : 0
  } finally {
    closeSync(file)
  }
}

function keep(path: string, number: number): void {
  try {
    const file = open(path, constants.O_WRONLY)
    try {
      const text = `${String(number).padStart(digits, '0')}\n`
      writeSync(file, text, 0)
      ftruncateSync(file, text.length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const hint = 'Make room on the disk, or make the file yours; then open the terminal again.'
    throw new TermError('limit_reached', `The last id cannot be kept in ${path}: ${reason}.`, hint)
  }
}

function openToRead(path: string): number {
  try {
    return open(path, constants.O_RDWR)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TermError(
      'environment',
      `The last number of a terminal cannot be read from ${path}: ${reason}.`,
      'Make room on the disk and make the file yours; or move it away: numbers then go on after the highest one in use.',
    )
  }
}

/** Makes the file when it is missing, with its folder. */
function open(path: string, how: number): number {
  makeFolder(dirname(path))
  return openSync(path, how | constants.O_CREAT, 0o600)
}
