/**
 * One record of the audit journal, which is a line of JSON. docs/audit.md says what each field is for.
 *
 * A record names the line before it by its hash. Fields are added and never change their meaning: a reader passes over what it does
 * not know.
 */

import * as z from 'zod'
import { effectVerbs, questionAnswers } from './effects/gate.ts'
import type { EffectsReport } from './effects/report.ts'
import { policyProfiles } from './policy/policy.ts'

const Offset = z.number().int().min(0)

export const AuditCaller = z.looseObject({
  /** Id in the list of connections: `mcp-4711-9f3c`. */
  client: z.string(),
  /** Its name for persons: the client's own name, with the way it connected. */
  program: z.string().optional(),
  /** The terminals that it came through, the outermost first. */
  chain: z.array(z.string()).optional(),
  /** The same with what ran in each: `claude in term-1`. */
  through: z.array(z.string()).optional(),
  /** A person types. */
  person: z.literal(true).optional(),
  /** The name of the token that bounds what it sees. */
  scope: z.string().optional(),
})
export type AuditCaller = Readonly<z.output<typeof AuditCaller>>

const place = {
  /** The id of a terminal; absent where there is none. */
  session: z.string().optional(),
  /** The end of its output when the call was allowed, or when it was observed. */
  offset: Offset.optional(),
}

const CallBody = z.looseObject({
  kind: z.literal('call'),
  verb: z.string(),
  who: AuditCaller,
  ...place,
  /** All terminals of a call for several. */
  sessions: z.array(z.string()).optional(),
  /** The end of its output when the call ended. */
  end: Offset.optional(),
  cwd: z.string().optional(),
  /** The text that was typed or started, shortened, without apparent secrets; absent where it is secret. */
  text: z.string().optional(),
  /** How many bytes were typed; absent where that is secret. */
  bytes: z.number().int().min(0).optional(),
  /** The command in it that decided. */
  resolved: z.string().optional(),
  verdict: z.enum(['allow', 'ask', 'deny']).optional(),
  rule: z.string().optional(),
  /** Where that rule is written; absent for what is built in. */
  source: z.looseObject({ file: z.string(), line: z.number() }).optional(),
  profile: z.enum(policyProfiles).optional(),
  /** Where the profile is set; absent for the one that is built in. */
  profileSource: z.looseObject({ file: z.string(), line: z.number() }).optional(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
  /** `open`: the call continues; a record `end` has its result. Else `done`, or the code of its error. */
  outcome: z.string(),
  /** When the call was allowed; absent when that is the time of the record. */
  begunAt: z.number().optional(),
})

const EndBody = z.looseObject({
  kind: z.literal('end'),
  /** The id of the call. */
  of: z.string(),
  outcome: z.string(),
  ...place,
})

const ApprovalBody = z.looseObject({
  kind: z.literal('approval'),
  event: z.enum(['asked', 'allowed', 'denied', 'expired', 'withdrawn']),
  approvalId: z.string(),
  rule: z.string(),
  resolved: z.string(),
  session: z.string().optional(),
  by: z.string().optional(),
  waitedMs: z.number().optional(),
})

const DifferenceBody = z.looseObject({
  kind: z.literal('difference'),
  ...place,
  /** The line that the shell reports as run, and that was not judged before. */
  line: z.string(),
  ranAt: z.number(),
  /** A person has typed there; persons are not judged. */
  person: z.literal(true).optional(),
})

const PolicyBody = z.looseObject({
  kind: z.literal('policy'),
  file: z.string(),
  state: z.enum(['absent', 'used', 'kept', 'broken']),
  rules: z.number().int(),
  problems: z.array(z.string()),
})

const ScopeBody = z.looseObject({
  kind: z.literal('scope'),
  event: z.enum(['made', 'revoked', 'expired']),
  /** The name of the scope, and its id, which no other ever has. */
  scope: z.string(),
  scopeId: z.string(),
  /** The person who made or revoked it; absent where that is not known, as when its file was removed. */
  by: z.string().optional(),
  /** When it happened: a daemon sees it later. */
  happenedAt: z.number(),
  expiresAt: z.number().optional(),
})

const DeviceBody = z.looseObject({
  kind: z.literal('device'),
  event: z.enum(['signedIn', 'revoked']),
  device: z.string(),
  /** The browser and the system, as it says. */
  name: z.string(),
  /** `all`, or the terminal that it may view. */
  access: z.string(),
  expiresAt: z.number().optional(),
  /** The person who revoked it. */
  by: z.string().optional(),
})

const EffectBody = z.looseObject({
  kind: z.literal('effect'),
  session: z.string(),
  /** The number of the question in its terminal; another record of the same question has the count until then. */
  question: z.number().int(),
  what: z.enum(effectVerbs),
  count: z.number().int(),
  /** `noted` where the gate keeps a journal; absent in older records. */
  answer: z.enum(questionAnswers).optional(),
  program: z.string(),
  pid: z.number().int(),
  command: z.string(),
  /** The file or folder that it is about, and the path of its first call. */
  area: z.string(),
  path: z.string(),
})

const GateBody = z.looseObject({
  kind: z.literal('gate'),
  /** `none`: a terminal has no gate although one was wanted. `blind`: calls that could not be judged. */
  event: z.enum(['none', 'blind']),
  session: z.string(),
  why: z.string(),
  count: z.number().int().optional(),
})

const JournalBody = z.looseObject({
  kind: z.literal('journal'),
  event: z.enum(['started', 'ended', 'repaired', 'dropped', 'lost', 'gap']),
  version: z.string().optional(),
  pid: z.number().optional(),
  /** `repaired`: the line before this one is no record; these are its bytes. */
  torn: z.looseObject({ bytes: z.number().int(), sha256: z.string() }).optional(),
  /** `dropped`: the records before this one were removed, because there were too many. */
  before: z.number().int().optional(),
  /** `lost`: how many could not be written; `gap`: how many that were written are missing. */
  count: z.number().int().optional(),
  why: z.string().optional(),
})

const bodies = [
  CallBody,
  EndBody,
  ApprovalBody,
  DifferenceBody,
  PolicyBody,
  ScopeBody,
  DeviceBody,
  EffectBody,
  GateBody,
  JournalBody,
] as const
const AuditBody = z.discriminatedUnion('kind', bodies)

const position = {
  /** Counted from 1, in the order in which they were written. */
  n: z.number().int().min(1),
  /** Its id for persons and agents; never used twice. */
  id: z.string(),
  /** In milliseconds since 1970. */
  at: z.number(),
  /** The SHA-256 of the line before this one, without its end, in base64url; empty for the first. */
  prev: z.string(),
}
const AuditPosition = z.looseObject(position)

export type AuditPosition = Readonly<z.output<z.ZodObject<typeof position>>>
export type AuditBody = Readonly<z.output<typeof AuditBody>>
export type BodyOf<Kind extends AuditBody['kind']> = Extract<AuditBody, { readonly kind: Kind }>
export type AuditRecord = AuditPosition & AuditBody
export type RecordOf<Kind extends AuditBody['kind']> = AuditPosition & BodyOf<Kind>

/** Where a record stands; null for what is no record of any version. */
export function parseAuditPosition(value: unknown): AuditPosition | null {
  return AuditPosition.safeParse(value).data ?? null
}

/** Null for what this version does not know. */
export function parseAuditRecord(value: unknown): AuditRecord | null {
  const at = parseAuditPosition(value)
  const body = AuditBody.safeParse(value).data
  return at === null || body === undefined ? null : { ...at, ...body }
}

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

/** Damage of a journal: the first record at which it shows. */
export interface BrokenRecord {
  readonly n: number
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly what: string
}

export interface AuditVerdict {
  readonly broken: BrokenRecord | null
  readonly files: number
  readonly records: number
  /** The numbers of the first and the last record; null when there is none. */
  readonly first: number | null
  readonly last: number | null
  /** The hash of the last line: a copy of `last:hash` elsewhere proves later that nothing before it has changed. */
  readonly hash: string | null
  /** Observations that are no damage, and worth knowing. */
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
    /** Share of the answered ones; null when none was answered. */
    readonly allowedShare: number | null
  }[]
}

export interface EffectsQuery {
  readonly session?: string
  /** In milliseconds since 1970. */
  readonly since?: number
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
  readonly effects: (query: EffectsQuery) => Promise<EffectsReport>
  /** The time now, in milliseconds since 1970. */
  readonly now: () => number
}

// Every bound of the audit journal. Sizes are bytes, durations milliseconds, unless the name says otherwise.

const KiB = 1024
const MiB = 1024 * KiB

/**
 * The audit journal. Records that wait to be written: at the next moment, or until there is room on the disk; what comes then is counted
 * and not kept. A record is half a KiB, 6 at most.
 */
export const auditQueueMax = 4_096
/** How long (ms) a record waits for others that are written with it; one of a refusal waits for none. */
export const auditGatherMs = 250
/** After a write that failed the next one is tried this many ms later. */
export const auditRetryMs = 2_000
/** A file, and how many are kept: some 500,000 records, weeks of ordinary work. The oldest one makes room. */
export const auditFileBytesMax = 8 * MiB
export const auditFilesMax = 32
/** Characters of typed or started text, and of other texts, in a record. */
export const auditTextCharactersMax = 1_000
export const auditWordsCharactersMax = 300
/** Limit of a record: a longer line is damage. */
export const auditLineBytesMax = 64 * KiB
/** A call that has not ended after this many ms is recorded as open, and its end in a record of its own; and the limit of such calls. */
export const auditOpenMs = 1_000
export const auditOpenMax = 4_096
/** A person's typing within this many ms is one record, for each terminal and client. */
export const auditTypingMs = 5_000
export const auditTypingMax = 256
/** How many records one answer may hold. */
export const auditEntriesMax = 100_000
/** Interval (ms) at which followers of the journal read what was written. */
export const auditFollowMs = 250
/** Limit of remembered pairs of reader and terminal: each pair is recorded once as long as it is remembered. */
export const auditSeenMax = 4_096

/** How a daemon’s audit journal does. */
export interface AuditStatus {
  readonly folder: string
  /** How many there were in all, those included that were dropped. */
  readonly records: number
  /** Not written yet. */
  readonly waiting: number
  /** Not kept, as they could not be written, since the daemon was started. */
  readonly lost: number
  /** Why nothing can be written; null when it can. */
  readonly problem: string | null
}

/** The journal's records of one terminal, for clients that show its history. */
export type TerminalRecord = RecordOf<'call'> | RecordOf<'approval'>

export interface TerminalRecordsQuery {
  readonly terminalId: string
  /** Nothing that happened before this, in milliseconds since 1970. */
  readonly since: number
  /** Records before this one only, by its number; null: from the end on. */
  readonly before: number | null
  /** Approximate number of records; there may be more. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface TerminalRecordsPage {
  /** The newest first, calls with the end that was recorded later. */
  readonly records: readonly TerminalRecord[]
  /** Older ones than these may be there: all that happened after this time has been found. Null: nothing older is kept. */
  readonly completeAfter: number | null
  /** The number of the oldest record that was read, of any terminal; null where there is none. */
  readonly oldest: number | null
  /** The journal no longer reaches back that far. */
  readonly isCut: boolean
}

export interface TerminalRecords {
  /** Reads a bounded part of the journal in small steps. Errors: those of the file system; `cancelled`. */
  read(query: TerminalRecordsQuery): Promise<TerminalRecordsPage>
}

/** When it happened: a call is recorded when it has ended, or has lasted for some time. */
export const happenedAt = (record: TerminalRecord): number =>
  record.kind === 'call' ? (record.begunAt ?? record.at) : record.at
