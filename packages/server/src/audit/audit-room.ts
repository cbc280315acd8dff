/** Reads the audit journal from its files, for the command line and the doctor: a server need not run. */

import { type Clock, pause } from '@agentpty/protocol'
import {
  type ApprovalStatistics,
  type AuditQuery,
  type AuditRecord,
  type AuditRoom,
  auditFollowMs,
  parseAuditRecord,
  type RecordOf,
} from '@agentpty/protocol/audit'
import { parseObject } from '@agentpty/protocol/wire'
import { auditFiles, firstIn, readHead } from './audit-files.ts'
import { auditLines, ifThere, linesOfFile } from './audit-lines.ts'
import { effectsReport } from './effects-report.ts'
import { verify } from './verify.ts'

interface AuditRoomOptions {
  readonly folder: string
  readonly clock: Clock
  readonly isoTime: (wall: number) => string
}

export function auditRoom({ folder, clock, isoTime }: AuditRoomOptions): AuditRoom {
  const entry = <Kind extends AuditRecord>(record: Kind) => ({ ...record, time: isoTime(record.at) })
  return {
    folder,
    now: () => clock.wall(),
    read: async (query) => newest(folder, query).map(entry),
    async *follow(after, signal) {
      let last = after
      while (!signal.aborted) {
        for (const record of newer(folder, last)) {
          last = record.n
          yield entry(record)
        }
        await pause(clock, auditFollowMs, signal)
      }
    },
    async find(id) {
      const [found] = withEnds(newestFirst(folder), (record) => record.id === id || record.approvalId === id)
      return found === undefined ? null : entry(found)
    },
    verify: async (kept = undefined) => {
      // First, for lines may be added meanwhile.
      const head = readHead(folder)
      return verify(auditLines(folder), { head, kept: kept ?? null })
    },
    effects: async ({ since = 0, session }) => effectsReport(effectsIn(folder, since, session)),
    approvals: async (since = 0) => approvalStatistics(approvalsSince(folder, since), isoTime),
  }
}

function* recordsIn(file: string): Generator<AuditRecord, void> {
  for (const { text, isEnded } of ifThere(() => linesOfFile(file))) {
    const record = text === null || !isEnded ? null : parseAuditRecord(parseObject(text))
    if (record !== null) yield record
  }
}

function* newestFirst(folder: string): Generator<AuditRecord, void> {
  for (const file of [...auditFiles(folder)].reverse()) yield* [...recordsIn(file)].reverse()
}

/** In their order. */
function* newer(folder: string, after: number): Generator<AuditRecord, void> {
  const files = auditFiles(folder)
  const from = Math.max(
    0,
    files.findLastIndex((file) => firstIn(file) <= after + 1),
  )
  for (const file of files.slice(from)) for (const record of recordsIn(file)) if (record.n > after) yield record
}

/** The newest that are asked for, the oldest of them first. */
function newest(folder: string, { since = 0, limit, ...filter }: AuditQuery): readonly AuditRecord[] {
  const found: AuditRecord[] = []
  const ends = new Ends()
  for (const record of newestFirst(folder)) {
    if (record.at < since || found.length >= limit) break
    if (ends.take(record)) continue
    if (isAskedFor(record, filter)) found.unshift(ends.of(record))
  }
  return found
}

function isAskedFor(record: AuditRecord, { session, verdict }: Pick<AuditQuery, 'session' | 'verdict'>): boolean {
  if (verdict !== undefined && (record.kind !== 'call' || record.verdict !== verdict)) return false
  if (session === undefined) return true
  return 'session' in record && (record.session === session || (record.kind === 'call' && isAmong(record, session)))
}

const isAmong = ({ sessions }: RecordOf<'call'>, session: string) => sessions?.includes(session) === true

function* withEnds(records: Iterable<AuditRecord>, isWanted: (record: RecordOf<'call'>) => boolean) {
  const ends = new Ends()
  for (const record of records)
    if (!ends.take(record) && record.kind === 'call' && isWanted(record)) yield ends.of(record)
}

/** The ends of calls. The record of an end comes after that of its call. */
class Ends {
  readonly #ends = new Map<string, RecordOf<'end'>>()

  /** True for an end, which is shown with its call. */
  take(record: AuditRecord): boolean {
    if (record.kind === 'end') this.#ends.set(record.of, record)
    return record.kind === 'end'
  }

  of<Kind extends AuditRecord>(record: Kind): Kind {
    const end = record.kind === 'call' ? this.#ends.get(record.id) : undefined
    if (end === undefined) return record
    return { ...record, outcome: end.outcome, ...(end.offset === undefined ? {} : { end: end.offset }) }
  }
}

function* effectsIn(folder: string, since: number, session: string | undefined) {
  for (const file of auditFiles(folder))
    for (const record of recordsIn(file))
      if ((record.kind === 'effect' || record.kind === 'gate') && record.at >= since)
        if (session === undefined || record.session === session) yield record
}

function* approvalsSince(folder: string, since: number): Generator<RecordOf<'approval'>, void> {
  for (const file of auditFiles(folder))
    for (const record of recordsIn(file)) if (record.kind === 'approval' && record.at >= since) yield record
}

const hourMs = 60 * 60 * 1_000

type ApprovalRecord = RecordOf<'approval'>

/**
 * How much persons are asked, how fast they answer, and what they say: who always says yes does not look any more.
 *
 * Summarizes approval records, which are in order.
 */
function approvalStatistics(records: Iterable<ApprovalRecord>, isoTime: (wall: number) => string): ApprovalStatistics {
  const approvals = [...records]
  const asked = approvals.filter(({ event }) => event === 'asked')
  const first = asked[0]?.at ?? 0
  const last = asked.at(-1)?.at ?? 0
  const waits = approvals.flatMap(({ event, waitedMs }) =>
    isAnswer(event) && waitedMs !== undefined ? [waitedMs] : [],
  )
  return {
    asked: asked.length,
    allowed: countOf(approvals, 'allowed'),
    denied: countOf(approvals, 'denied'),
    expired: countOf(approvals, 'expired'),
    askedPerHour: rounded(asked.length / Math.max(1, (last - first) / hourMs)),
    busiestHour: busiest(
      asked.map(({ at }) => at),
      isoTime,
    ),
    medianAnswerMs: median(waits),
    rules: [...new Set(approvals.map(({ rule }) => rule))].sort().map((rule) => ofRule(rule, approvals)),
  }
}

const isAnswer = (event: ApprovalRecord['event']) => event === 'allowed' || event === 'denied'
const countOf = (approvals: readonly ApprovalRecord[], event: ApprovalRecord['event']) =>
  approvals.filter((one) => one.event === event).length
const rounded = (value: number) => Math.round(value * 100) / 100

function ofRule(rule: string, approvals: readonly ApprovalRecord[]): ApprovalStatistics['rules'][number] {
  const own = approvals.filter((one) => one.rule === rule)
  const allowed = countOf(own, 'allowed')
  const denied = countOf(own, 'denied')
  const answered = allowed + denied
  const allowedShare = answered === 0 ? null : rounded(allowed / answered)
  return { rule, asked: countOf(own, 'asked'), allowed, denied, allowedShare }
}

/** The hour of the clock in which most were asked; the first of several. */
function busiest(times: readonly number[], isoTime: (wall: number) => string): ApprovalStatistics['busiestHour'] {
  const hours = new Map<number, number>()
  for (const time of times) {
    const hour = Math.floor(time / hourMs)
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const [most] = [...hours].toSorted(([, one], [, other]) => other - one)
  return most === undefined ? null : { from: isoTime(most[0] * hourMs), asked: most[1] }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.floor(sorted.length / 2)]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
