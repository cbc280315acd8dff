/**
 * The record that a daemon leaves for the next one: its last call, the reason for its end, and its port.
 *
 * The last call is written over the same bytes of an open file with each call. That takes a few microseconds and no
 * flush, and the kernel keeps it after a SIGKILL.
 */

import { closeSync, openSync, writeSync } from 'node:fs'
import { DaemonEnd, LastCall } from '@agentpty/protocol/home'
import { readPrivate, readPrivateJson, writePrivate } from '../files/index.ts'

const advice = 'Make it readable for yourself, or remove it.'

/** Longer than any record: an older one leaves no bytes behind it. */
const recordBytes = 160

/** Null when there is none. Errors: `environment`. */
export function readEnd(path: string): DaemonEnd | null {
  return DaemonEnd.safeParse(readPrivateJson(path, advice)).data ?? null
}

/** Errors: `environment`. */
export function writeEnd(path: string, end: DaemonEnd): void {
  writePrivate(path, `${JSON.stringify(end)}\n`)
}

/** Null when there is none. Errors: `environment`. */
export function readLastCall(path: string): LastCall | null {
  return LastCall.safeParse(readPrivateJson(path, advice)).data ?? null
}

export class LastCallFile {
  readonly #file: number
  readonly #record = Buffer.alloc(recordBytes)

  /** Errors: those of the file system. */
  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  /** Errors: those of the file system. */
  write(call: LastCall): void {
    this.#record.fill(' ')
    this.#record.write(JSON.stringify(call))
    writeSync(this.#file, this.#record, 0, recordBytes, 0)
  }

  close(): void {
    closeSync(this.#file)
  }
}

const portAdvice = 'Make it readable, or remove it: another port is served then.'

/** Browsers know the page by it, so the next daemon takes it again if it can. Null when there is none. Errors: `environment`. */
export function lastPort(path: string): number | null {
  const text = readPrivate(path, portAdvice)?.trim() ?? ''
  return /^\d{1,5}$/.test(text) ? Number(text) : null
}

/** Errors: `environment`. */
export function keepPort(path: string, port: number): void {
  if (lastPort(path) !== port) writePrivate(path, `${port}\n`)
}
