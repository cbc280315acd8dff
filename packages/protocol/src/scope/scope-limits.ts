/** Every bound of scopes. Durations are milliseconds. */

import type { Millis } from '../units.ts'

/** Scopes that there may be at once; those that have expired do not count. */
export const scopesMax = 256
/** What the file of one may hold. */
export const scopeFileBytesMax = 4_096
/** What the file of those that are recorded may hold: each with a name of 64 characters, with some room. */
export const scopesToldBytesMax = 4 * scopesMax * 256
/** A folder that has changed no longer ago than this is looked at again: its time may not tell of another change. */
export const scopesSettledMs = 1_000
/** Sets of tools at addresses of HTTP that are served at once, for each scope; the one that was used first makes room. */
export const httpEndpointsMax = 128

/** How often calls of others look whether tokens were made or revoked. */
export const scopesLookMs: Millis = 250
