/** What the command line and the doctor see of the audit journal. They read its files: no daemon is asked. */

import type { AuditRecord, RecordOf } from './audit-record.ts'

export interface AuditQuery {
  readonly session?: string
  /** In milliseconds since 1970. */
  readonly since?: number
  readonly verdict?: 'allow' | 'ask' | 'deny'
  /** The newest ones. */
  readonly limit: number
}

/** A call with the end that was recorded later. */
export type AuditEntry = AuditRecord & {
  /** Its time as people write it. */
  readonly time: string
}

/** What is wrong with a journal: the first record at which it shows. */
export interface BrokenRecord {
  /** The number that the record should have. */
  readonly n: number
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** One line. */
  readonly what: string
}

export interface AuditVerdict {
  readonly broken: BrokenRecord | null
  readonly files: number
  readonly records: number
  /** The numbers of the first and the last record; null when there is none. */
  readonly first: number | null
  readonly last: number | null
  /** The hash of the last line: who keeps `last:hash` elsewhere can show later that nothing before it has changed. */
  readonly hash: string | null
  /** What is no damage, and worth knowing. */
  readonly notes: readonly string[]
}

export interface ApprovalStatistics {
  readonly asked: number
  readonly allowed: number
  readonly denied: number
  readonly expired: number
  /** Over the hours from the first to the last that was asked, at least one. */
  readonly askedPerHour: number
  readonly busiestHour: { readonly from: string; readonly asked: number } | null
  /** Half of the answers came faster; null without any. */
  readonly medianAnswerMs: number | null
  readonly rules: readonly {
    readonly rule: string
    readonly asked: number
    readonly allowed: number
    readonly denied: number
    /** Of those that were answered; null when none was. */
    readonly allowedShare: number | null
  }[]
}

export interface AuditRoom {
  /** The folder of the files. */
  readonly folder: string
  /** The oldest first. */
  readonly read: (query: AuditQuery) => Promise<readonly AuditEntry[]>
  /** Those that come after this number, as they are written, until `signal` aborts. */
  readonly follow: (after: number, signal: AbortSignal) => AsyncIterable<AuditEntry>
  /** The call of this id, or the last one that waited for this approval; null when it is not kept. */
  readonly find: (id: string) => Promise<(RecordOf<'call'> & { readonly time: string }) | null>
  /** `head`: a record that must be there with that hash. */
  readonly verify: (head?: { readonly n: number; readonly hash: string }) => Promise<AuditVerdict>
  readonly approvals: (since?: number) => Promise<ApprovalStatistics>
  /** The time now, in milliseconds since 1970. */
  readonly now: () => number
}
