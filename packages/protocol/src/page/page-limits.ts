/** Every bound of the page and of signing in to it. Sizes are bytes, durations milliseconds. */

const KiB = 1024
const MiB = 1024 * KiB

/** A code is for the browser that is being started: long enough for a slow machine, and for a person who types the address. */
export const signInCodeMsDefault = 60_000
export const signInCodeMsMin = 1_000
export const signInCodeMsMax = 10 * 60_000
/** Codes that wait to be used; the oldest one makes room. */
export const signInCodesMax = 16
/** Guesses at codes that are looked at in one minute. A code has 128 bits: this keeps a loop from costing anything. */
export const wrongCodesMax = 20
export const wrongCodesMs = 60_000

export const devicesMax = 64
export const deviceNameCharactersMax = 60
/** A device that may only look, unless it was said otherwise, and at most. */
export const viewMsDefault = 2 * 3_600_000
export const viewMsMax = 30 * 86_400_000
/** The file of all of them: each has a key of 65 bytes and some words. */
export const devicesFileBytesMax = 256 * KiB
/** How often it is written down that a device is there. */
export const deviceSeenMs = 60_000

/** What a browser sends to sign in: a code, a key. */
export const signInBytesMax = 4 * KiB
/** Pages that are open at once, and those of them that have not signed in; the oldest of these makes room. */
export const pageSocketsMax = 128
export const unsignedSocketsMax = 16
/** For a page to sign what it was given. */
export const signatureMs = 10_000
/** One message of a page: it writes longer input in pieces. */
export const pageMessageBytesMax = 1 * MiB
/** How often a page is asked whether it is there; one that has not answered before the next time is gone. */
export const pagePingMs = 20_000
/** Other names by which the page is reached. */
export const httpNamesMax = 16
