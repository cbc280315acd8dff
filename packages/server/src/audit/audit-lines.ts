/** Reads the lines of the audit journal, each with the hash by which the next one names it. */

import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { auditLineBytesMax } from '@agentpty/protocol/audit'
import { auditFiles } from './audit-files.ts'

export interface AuditLine {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Without its end; null when it is longer than any record. */
  readonly text: string | null
  readonly bytes: number
  readonly hash: string
  /** It has an end: whoever wrote it has finished. */
  readonly isEnded: boolean
}

const pieceBytes = 256 * 1_024

/** Whatever is written meanwhile is not read. */
export function* linesOfFile(file: string, from = 0): Generator<AuditLine, void> {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const end = fstatSync(fd).size
    const reader = new LineReader(file)
    const piece = Buffer.alloc(pieceBytes)
    for (let at = from; at < end; ) {
      const length = readSync(fd, piece, 0, Math.min(pieceBytes, end - at), at)
      if (length === 0) break
      at += length
      yield* reader.push(piece.subarray(0, length))
    }
    yield* reader.rest()
  } finally {
    closeSync(fd)
  }
}

class LineReader {
  readonly #file: string
  #line = 0
  #parts: Buffer[] = []
  #bytes = 0
  #hash: Hash = createHash('sha256')

  constructor(file: string) {
    this.#file = file
  }

  *push(bytes: Buffer): Generator<AuditLine, void> {
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#take(bytes.subarray(from, end))
      yield this.#finish(true)
      from = end + 1
    }
    this.#take(bytes.subarray(from))
  }

  *rest(): Generator<AuditLine, void> {
    if (this.#bytes > 0) yield this.#finish(false)
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#bytes += bytes.length
    this.#hash.update(bytes)
    if (this.#bytes <= auditLineBytesMax) this.#parts.push(Buffer.from(bytes))
  }

  #finish(isEnded: boolean): AuditLine {
    this.#line += 1
    const text = this.#bytes > auditLineBytesMax ? null : Buffer.concat(this.#parts).toString('utf8')
    const found = { file: this.#file, line: this.#line, text, bytes: this.#bytes, isEnded }
    const hash = this.#hash.digest('base64url')
    this.#parts = []
    this.#bytes = 0
    this.#hash = createHash('sha256')
    return { ...found, hash }
  }
}

/** The oldest first. A file that was removed meanwhile has made room. */
export function* auditLines(folder: string): Generator<AuditLine, void> {
  for (const file of auditFiles(folder)) yield* ifThere(() => linesOfFile(file))
}

export function* ifThere<Item>(open: () => Iterable<Item>): Generator<Item, void> {
  try {
    yield* open()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
