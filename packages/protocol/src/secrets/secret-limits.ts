/** Every bound of secrets that are masked. */

import type { Millis } from '../units.ts'

/** Secrets kept to be masked, and how long one may be: shorter ones would mask words that are none. */
export const secretsMax = 128
export const secretCharactersMin = 6
export const secretCharactersMax = 1_024
/** Of a list of names of variables in `config.yaml`. */
export const variableNamesCharactersMax = 2_000

/** Of output that comes in pieces, what may still become a secret is held back: at most this much; the longest key with its lines fits. */
export const secretHeldBytesMax = 16 * 1_024
/** And this long: the rest of what a program writes at once comes within a few milliseconds, and nobody sees a key echoed this late. */
export const secretHeldMs: Millis = 50
/** What may stand before a secret and belong to it, `scheme://user:` at most, with room for colours in it. */
export const secretLeadBytes = 256
