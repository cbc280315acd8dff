/** What the journal holds of one terminal, for whoever shows what has happened there. */

import type { RecordOf } from './audit-record.ts'

export type TerminalRecord = RecordOf<'call'> | RecordOf<'approval'>

export interface TerminalRecordsQuery {
  readonly terminalId: string
  /** Nothing that happened before this, in milliseconds since 1970. */
  readonly since: number
  /** Records before this one only, by its number; null: from the end on. */
  readonly before: number | null
  /** About so many; there may be more. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface TerminalRecordsPage {
  /** The newest first, calls with the end that was recorded later. */
  readonly records: readonly TerminalRecord[]
  /** Older ones than these may be there: all that happened after this time has been found. Null: nothing older is kept. */
  readonly completeAfter: number | null
  /** The number of the oldest record that was looked at, of whatever terminal; null where there is none. */
  readonly oldest: number | null
  /** The journal holds nothing from so long ago any more. */
  readonly isCut: boolean
}

export interface TerminalRecords {
  /** Reads a bounded part of the journal in small steps. Errors: those of the file system; `cancelled`. */
  read(query: TerminalRecordsQuery): Promise<TerminalRecordsPage>
}

/** When it happened: a call is recorded when it has ended, or has lasted for some time. */
export const happenedAt = (record: TerminalRecord): number =>
  record.kind === 'call' ? (record.begunAt ?? record.at) : record.at
