/**
 * One record of the audit journal, which is a line of JSON. docs/audit.md says what each field is for.
 *
 * A record names the line before it by its hash. Fields are added and never change their meaning: a reader passes over what it does
 * not know.
 */

import * as z from 'zod'
import { policyProfiles } from '../policy/policy.ts'

const Offset = z.number().int().min(0)

/** Who has called. */
export const AuditCaller = z.looseObject({
  /** As in the list of connections: `mcp-4711-9f3c`. */
  client: z.string(),
  /** What persons know it by: what the client calls itself, with the way it came. */
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
  /** Of a terminal; absent where there is none. */
  session: z.string().optional(),
  /** The end of its output when the call was let through, or when it was seen. */
  offset: Offset.optional(),
}

const CallBody = z.looseObject({
  kind: z.literal('call'),
  verb: z.string(),
  who: AuditCaller,
  ...place,
  /** Of a call for several terminals: all of them. */
  sessions: z.array(z.string()).optional(),
  /** The end of its output when the call ended. */
  end: Offset.optional(),
  cwd: z.string().optional(),
  /** What was typed or started, shortened, without what looks like a secret; absent where nobody may know it. */
  text: z.string().optional(),
  /** How many bytes were typed; absent where nobody may know it. */
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
  /** `open`: it goes on; a record `end` tells how it ended. Else `done`, or the code of its error. */
  outcome: z.string(),
  /** When the call was let through; absent when that is the time of the record. */
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
  /** Who has answered. */
  by: z.string().optional(),
  waitedMs: z.number().optional(),
})

const DifferenceBody = z.looseObject({
  kind: z.literal('difference'),
  ...place,
  /** The line that the shell says it has run, and that nobody had judged. */
  line: z.string(),
  ranAt: z.number(),
  /** A person has typed there, who is judged by nobody. */
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
  /** Who has made or revoked it; absent where that is not known, as when its file was removed. */
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
  /** `all`, or what it may look at. */
  access: z.string(),
  expiresAt: z.number().optional(),
  /** Who has revoked it. */
  by: z.string().optional(),
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
  JournalBody,
] as const
const AuditBody = z.discriminatedUnion('kind', bodies)

const position = {
  /** Counted from 1, in the order in which they were written. */
  n: z.number().int().min(1),
  /** What persons and agents name it by; never given twice. */
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
