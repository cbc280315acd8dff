/** Finds what the journal holds of one terminal: backwards, until there is enough, and no more than a bounded part in one go. */

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { TermError } from '@agentpty/protocol'
import {
  auditLineBytesMax,
  happenedAt,
  parseAuditPosition,
  parseAuditRecord,
  type RecordOf,
  type TerminalRecord,
  type TerminalRecords,
  type TerminalRecordsPage,
  type TerminalRecordsQuery,
} from '@agentpty/protocol/audit'
import { timelinePieceBytes, timelineReadBytesMax } from '@agentpty/protocol/timeline'
import { parseObject } from '@agentpty/protocol/wire'
import { auditFiles, firstIn } from './audit-files.ts'

/** `written`: resolves when all records so far are in the files. */
export function terminalRecords(folder: string, written: () => Promise<void>): TerminalRecords {
  return {
    read: async (query) => {
      await written()
      return read(folder, query)
    },
  }
}

async function read(folder: string, query: TerminalRecordsQuery): Promise<TerminalRecordsPage> {
  const { terminalId, since, before, limit, signal } = query
  const found = new Found(terminalId, before)
  let bytes = 0
  let oldest: { readonly n: number; readonly at: number } | null = null
  for await (const piece of linesBack(folder, { text: `"session":${JSON.stringify(terminalId)}`, before })) {
    if (signal?.aborted === true) throw new TermError('cancelled', 'No caller waits for it any more.', 'Call again.')
    for (const line of piece.found) found.take(line)
    bytes += piece.bytes
    const position = piece.oldest === null ? null : parseAuditPosition(parseObject(piece.oldest))
    if (position === null || (before !== null && position.n >= before)) continue
    oldest = { n: position.n, at: position.at }
    if (oldest.at < since) return { ...pageOf(found, since), completeAfter: null, oldest: oldest.n, isCut: false }
    if (found.countAfter(oldest.at) >= limit || bytes >= timelineReadBytesMax)
      return { ...pageOf(found, since), completeAfter: oldest.at, oldest: oldest.n, isCut: false }
  }
  const isCut = oldest !== null && oldest.n > 1
  return { ...pageOf(found, since), completeAfter: null, oldest: oldest?.n ?? null, isCut }
}

const pageOf = ({ records }: Found, since: number): Pick<TerminalRecordsPage, 'records'> => ({
  records: records.filter((record) => happenedAt(record) >= since),
})

class Found {
  readonly records: TerminalRecord[] = []
  readonly #terminalId: string
  readonly #before: number | null
  /** How calls ended that were recorded before. */
  readonly #ends = new Map<string, RecordOf<'end'>>()

  constructor(terminalId: string, before: number | null) {
    this.#terminalId = terminalId
    this.#before = before
  }

  take(line: string): void {
    const record = parseAuditRecord(parseObject(line))
    if (record === null || !('session' in record) || record.session !== this.#terminalId) return
    // The end of a call may come after the requested records.
    if (record.kind === 'end') this.#ends.set(record.of, record)
    if (this.#before !== null && record.n >= this.#before) return
    if (record.kind === 'approval') this.records.push(record)
    if (record.kind === 'call') this.records.push(this.#withEnd(record))
  }

  countAfter(at: number): number {
    return this.records.reduce((count, record) => count + (happenedAt(record) > at ? 1 : 0), 0)
  }

  #withEnd(call: RecordOf<'call'>): RecordOf<'call'> {
    const end = this.#ends.get(call.id)
    this.#ends.delete(call.id)
    return end === undefined ? call : { ...call, outcome: end.outcome }
  }
}

interface LinesPiece {
  /** The whole lines in it that hold the text, the newest first. */
  readonly found: readonly string[]
  /** The oldest whole line in it, whatever it holds; null where it has none. */
  readonly oldest: string | null
  readonly bytes: number
}

/**
 * Reads the audit journal from its end backwards, a small piece at a time, so that nothing else in the process waits for it.
 *
 * `before`: of the file that holds the record of this number, and of those before it; null: of all. What is written meanwhile is not read.
 */
async function* linesBack(folder: string, { text, before }: { readonly text: string; readonly before: number | null }) {
  const files = auditFiles(folder).filter((file) => before === null || firstIn(file) < before)
  for (const file of files.toReversed()) yield* linesOfFileBack(file, Buffer.from(text))
}

async function* linesOfFileBack(path: string, text: Buffer): AsyncGenerator<LinesPiece, void> {
  const file = await opened(path)
  if (file === null) return
  try {
    let end = (await file.stat()).size
    /** The end of a line that begins further ahead. */
    let rest: Buffer = Buffer.alloc(0)
    while (end > 0) {
      const from = Math.max(0, end - timelinePieceBytes)
      const bytes = Buffer.concat([await bytesOf(file, from, end), rest])
      const first = from === 0 ? 0 : bytes.indexOf(lineFeed) + 1
      // No record is as long as that: what is left of such a line is none, and is passed over.
      const isWithin = first > 0 || from === 0
      rest = isWithin ? bytes.subarray(0, first) : bytes.length > auditLineBytesMax ? Buffer.alloc(0) : bytes
      yield { ...(isWithin ? linesWith(bytes.subarray(first), text) : none), bytes: end - from }
      end = from
    }
  } finally {
    await file.close()
  }
}

const lineFeed = 10
const none = { found: [], oldest: null } as const

/** Null when it has made room meanwhile. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function bytesOf(file: FileHandle, from: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - from)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}

function linesWith(bytes: Buffer, text: Buffer): Pick<LinesPiece, 'found' | 'oldest'> {
  const found: string[] = []
  const lineAt = (from: number) => {
    const end = bytes.indexOf(lineFeed, from)
    return bytes.toString('utf8', from, end < 0 ? bytes.length : end)
  }
  for (let at = bytes.lastIndexOf(text); at >= 0; ) {
    const from = bytes.lastIndexOf(lineFeed, at) + 1
    found.push(lineAt(from))
    at = from === 0 ? -1 : bytes.lastIndexOf(text, from - 1)
  }
  return { found, oldest: bytes.length === 0 ? null : lineAt(0) }
}
