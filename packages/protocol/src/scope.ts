/** Scopes: a caller with a token of its own sees and types into the terminals that were opened under it, and no others. */

import * as z from 'zod'
import { TermError } from './errors.ts'
import type { Millis } from './units.ts'

/** The bounds of a caller. */
export interface CallerScope {
  /** The terminals that are opened under it remember this. */
  readonly id: string
  /** The name that the user has given it. */
  readonly name: string
  /** False once its token was revoked or has expired. */
  readonly holds: () => boolean
  /** The caller may only view: one terminal, or all of them (null), regardless of their scope. */
  readonly view?: { readonly terminalId: string | null }
}

export const ScopeName = z
  .string()
  .regex(/^\w[\w.-]*$/, 'letters, digits, "_", "." and "-" only, and not "." or "-" first')
  .max(64)

export const KeptScope = z.object({
  /** Never given twice, also to a scope of the same name. */
  id: z.string().min(1),
  /** The SHA-256 of its token, in base64url: a reader of the file does not have the token. */
  hash: z.string().min(1),
  /** In milliseconds since 1970. */
  createdAt: z.number(),
  /** Null: until it is revoked. */
  expiresAt: z.number().nullable(),
  by: z.string().optional(),
})
export type KeptScope = Readonly<z.output<typeof KeptScope>>

export interface NamedScope extends KeptScope {
  readonly name: string
}

/** A note of one that was revoked, until it is recorded. */
export const RevokedScope = KeptScope.omit({ hash: true }).extend({
  name: z.string(),
  revokedAt: z.number(),
  revokedBy: z.string(),
})
export type RevokedScope = Readonly<z.output<typeof RevokedScope>>

/** The scopes that were recorded in the journal. */
export const RecordedScopeList = z.object({
  scopes: z.array(
    KeptScope.pick({ id: true, expiresAt: true }).extend({
      name: z.string(),
      /** Also that it has expired. */
      isOver: z.boolean(),
    }),
  ),
})
export type RecordedScopeEntry = Readonly<z.output<typeof RecordedScopeList>['scopes'][number]>

/** A change of a scope, for the journal. */
export interface ScopeChange {
  readonly event: 'made' | 'revoked' | 'expired'
  readonly id: string
  readonly name: string
  /** In milliseconds since 1970; for a removed file, the time when that was noticed. */
  readonly at: number
  /** Null where that is not known. */
  readonly by: string | null
  readonly expiresAt: number | null
}

/** The command line's interface to the tokens of scopes. They are files: no daemon is involved. */
export interface ScopeTokens {
  /** Returns the token once; it cannot be read later. Errors: `name_taken`, `limit_reached`, `invalid_input`. */
  readonly create: (name: string, expiresAt: number | null) => { readonly token: string; readonly scope: NamedScope }
  readonly list: () => readonly NamedScope[]
  /** Errors: `invalid_input` when there is none of that name. */
  readonly revoke: (name: string) => NamedScope
  /** The time now, in milliseconds since 1970. */
  readonly now: () => number
}

export function scopeEnded({ name, view }: CallerScope): TermError {
  if (view !== undefined)
    return new TermError('denied', 'What this browser may look at is over.', 'Ask the person to invite it again.')
  return new TermError(
    'denied',
    `The token of scope "${name}" was revoked or has expired.`,
    'Its terminals go on. Ask the person for a new token.',
  )
}

/** Builds the error for an action that viewers may not do. */
export function onlyLooks(doing: string): TermError {
  return new TermError(
    'denied',
    `This browser may only look: ${doing} is for those who may change things.`,
    'Ask the person for more: agentpty open',
  )
}

/** Builds the error for an action that is reserved for the user and callers without a scope. */
export function outsideScope({ name }: CallerScope, doing: string): TermError {
  return new TermError('denied', `A token of scope "${name}" may not do this: ${doing}.`, 'Leave it to the person.')
}

// Every bound of scopes. Durations are milliseconds.

/** Scopes that exist at the same time; expired ones do not count. */
export const scopesMax = 256
/** Bytes of the file of one scope. */
export const scopeFileBytesMax = 4_096
/** Bytes of the file of recorded scopes: each with a name of 64 characters, with some reserve. */
export const recordedScopesBytesMax = 4 * scopesMax * 256
/** A folder that changed within this time is read again: its timestamp may not show another change. */
export const scopesSettledMs = 1_000
/** Sets of tools at HTTP addresses that are served at the same time, for each scope; the least recently used one makes room. */
export const httpEndpointsMax = 128

/** Interval at which calls with other tokens check for new and revoked tokens. */
export const scopesLookMs: Millis = 250
