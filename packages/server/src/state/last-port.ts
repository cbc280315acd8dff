/** The port that was served last: browsers know the page by it, so the next daemon takes it again if it can. */

import { readPrivate, writePrivate } from '../files/index.ts'

const advice = 'Make it readable, or remove it: another port is served then.'

/** Null when there is none. Errors: `environment`. */
export function lastPort(path: string): number | null {
  const text = readPrivate(path, advice)?.trim() ?? ''
  return /^\d{1,5}$/.test(text) ? Number(text) : null
}

/** Errors: `environment`. */
export function keepPort(path: string, port: number): void {
  if (lastPort(path) !== port) writePrivate(path, `${port}\n`)
}
