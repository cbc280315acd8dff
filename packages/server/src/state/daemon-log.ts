/** The daemon's log, its standard error. Lines that cannot be written are counted and dropped: a full disk must not end the daemon. */

import { writeSync } from 'node:fs'
import type { DaemonLogStatus } from '@agentpty/protocol/wire'

export interface DaemonLogParts {
  readonly descriptor: number
  /** The time now, as a line begins with it. */
  readonly time: () => string
}

export class DaemonLog {
  readonly #parts: DaemonLogParts
  #lost: { readonly since: string; readonly reason: string; lines: number } | null = null

  constructor(parts: DaemonLogParts) {
    this.#parts = parts
  }

  /** The current problem; null while lines are written. */
  get problem(): DaemonLogStatus {
    return this.#lost === null ? null : { ...this.#lost }
  }

  write(text: string): void {
    const time = this.#parts.time()
    const lost = this.#lost
    const before =
      lost === null ? '' : `${time} ${lost.lines} lines since ${lost.since} were not written: ${lost.reason}.\n`
    try {
      writeAll(this.#parts.descriptor, `${before}${time} ${text}\n`)
      this.#lost = null
    } catch (error) {
      this.failed(error)
    }
  }

  /** Another writer, such as Node with a warning, could not write into the log. */
  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.#lost ??= { since: this.#parts.time(), reason, lines: 0 }
    this.#lost.lines++
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}
