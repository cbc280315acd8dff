/** Finds what the journal holds of one terminal: backwards, until there is enough, and no more than a bounded part in one go. */

import { TermError } from '@agentpty/protocol'
import {
  happenedAt,
  parseAuditPosition,
  parseAuditRecord,
  type RecordOf,
  type TerminalRecord,
  type TerminalRecords,
  type TerminalRecordsPage,
  type TerminalRecordsQuery,
} from '@agentpty/protocol/audit'
import { timelineReadBytesMax } from '@agentpty/protocol/timeline'
import { parseObject } from '@agentpty/protocol/wire'
import { linesBack } from './audit-lines-back.ts'

/** `written`: resolves when what has been recorded so far stands in the files. */
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
    if (signal?.aborted === true) throw new TermError('cancelled', 'Nobody waits for it any more.', 'Call again.')
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
    // The end of a call may stand behind the records that are asked for.
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
