/** Numbers for session ids, never given twice, not even after everything has ended: the last one is kept in a file. */

import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Always the same length and written in one go, so that a killed process never leaves half a number. */
const digits = 16

/** Null: they are counted in memory, for an engine whose sessions end with it. */
export function idCounter(path: string | null): () => number {
  if (path === null) return countUp()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // "a" makes the file when it is missing and leaves it alone when it is there.
  closeSync(openSync(path, 'a', 0o600))
  let last = parseLast(readFileSync(path, 'utf8'))
  return () => {
    last += 1
    writeFileSync(path, `${String(last).padStart(digits, '0')}\n`, { flag: 'r+' })
    return last
  }
}

function countUp(): () => number {
  let last = 0
  return () => {
    last += 1
    return last
  }
}

function parseLast(text: string): number {
  const last = Number.parseInt(text, 10)
  return Number.isSafeInteger(last) && last > 0 ? last : 0
}
