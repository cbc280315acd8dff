/** Reads the lines of the audit journal, each with the hash by which the next one names it. */

import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type AuditPosition, auditLineBytesMax, parseAuditPosition } from '@agentpty/protocol/audit'
import { parseObject } from '@agentpty/protocol/wire'
import { type AuditHead, auditFiles } from './audit-files.ts'

export interface AuditLine {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** Without its end; null when it is longer than any record. */
  readonly text: string | null
  readonly bytes: number
  readonly hash: string
  /** The line has an end: its writer has finished it. */
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

/** How records are chained: each names the line before it by its hash, so that none can be changed, moved or left out unseen. */
export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('base64url')
}

/** Null for what is no record. */
export function positionOf({ text, isEnded }: AuditLine): AuditPosition | null {
  return text === null || !isEnded ? null : parseAuditPosition(parseObject(text))
}

/** The end of a journal, as a new writer finds it. */
export interface ChainEnd extends AuditHead {
  /** The newest id; null without a record. */
  readonly id: string | null
  /** The part of a line that a killed process left unfinished. */
  readonly torn: { readonly bytes: number; readonly sha256: string } | null
}

const tailBytes = 4 * auditLineBytesMax

export function endOfChain(folder: string): ChainEnd {
  const [newest, before] = [...auditFiles(folder)].reverse()
  let torn: ChainEnd['torn'] = null
  for (const file of [newest, before]) {
    if (file === undefined) break
    const lines = [...linesOfFile(file, Math.max(0, statSync(file).size - tailBytes))]
    const last = lines.at(-1)
    if (file === newest && last !== undefined && !last.isEnded) torn = { bytes: last.bytes, sha256: last.hash }
    const found = lines.findLast((line) => positionOf(line) !== null)
    const position = found === undefined ? null : positionOf(found)
    if (found !== undefined && position !== null) return { n: position.n, hash: found.hash, id: position.id, torn }
  }
  return { n: 0, hash: '', id: null, torn }
}
