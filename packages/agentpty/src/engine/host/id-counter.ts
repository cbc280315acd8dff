/** Numbers for session ids, never given twice, not even after everything has ended: the last one is kept in a file. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function idCounter(path: string): () => number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let last = readLast(path)
  return () => {
    last += 1
    // Renamed into place: a crash leaves the old number or the new one, never half a number.
    writeFileSync(`${path}.new`, `${last}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
    return last
  }
}

function readLast(path: string): number {
  try {
    const last = Number.parseInt(readFileSync(path, 'utf8'), 10)
    return Number.isSafeInteger(last) && last > 0 ? last : 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
