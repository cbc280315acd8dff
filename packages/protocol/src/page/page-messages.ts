export const wirePath = '/wire'
export const signInPath = '/sign-in'
/** The service worker of the page. It is at the root, because it serves only addresses below its own. */
export const pushWorkerPath = '/push-worker.js'

/** The address of a path as the page requests it: below its document, because an editor may forward the page below a path of its own. */
export const belowDocument = (path: string): string => `.${path}`

/**
 * Returns the origin of an address under which an editor forwards the page. Null for addresses where no browser signs in: without HTTPS, it
 * must be a name of the browser's own machine.
 */
export function forwardedOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin, username, search, hash, pathname } = new URL(address)
  const isPlain = username === '' && search === '' && hash === '' && pathname.endsWith('/')
  const isSecure = protocol === 'https:' || (protocol === 'http:' && loopbackNames.has(hostname))
  return isPlain && isSecure ? origin : null
}

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Why a socket was closed, in the numbers that are free for programs. */
export const closeCodes = {
  /** Not signed in, or not any more: there is no use in trying again with the same key. */
  signedOut: 4401,
  /** The server makes room or ends: try again. */
  tryAgain: 4503,
} as const

export interface PageHello {
  readonly hello: 1
  /** Used for this socket alone. */
  readonly nonce: string
  readonly instance: string
  readonly version: string
  readonly build: string
}

export interface PageSignIn {
  readonly signIn: { readonly deviceId: string; readonly signature: string; readonly tab?: string }
}

/** A page's own name, which distinguishes it from others of the same browser: small letters and digits. */
export const tabName = /^[a-z0-9]{4,12}$/

/** The text that a device signs: valid for one socket of one server at one address. */
export function signedText({
  nonce,
  host,
  instance,
}: {
  readonly nonce: string
  readonly host: string
  readonly instance: string
}): string {
  return `agentpty page 1\n${nonce}\n${host}\n${instance}`
}

/** A new code, in the address that is opened with it. */
export interface SignInAddress {
  readonly url: string
  /** A file that leads a browser there, so that the address is in no list of processes; null where none was asked for. */
  readonly file: string | null
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

// Every bound of the page and of signing in to it. Sizes are bytes, durations milliseconds.

const KiB = 1024
const MiB = 1024 * KiB

/** A code is for the browser that is being started: long enough for a slow machine, and for a person who types the address. */
export const signInCodeMsDefault = 60_000
export const signInCodeMsMin = 1_000
export const signInCodeMsMax = 10 * 60_000
/** Codes that wait to be used; the oldest one makes room. */
export const signInCodesMax = 16
/** Wrong codes that are checked in one minute. A code has 128 bits: this keeps a loop from costing anything. */
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

/** Bytes that a browser sends to sign in: a code, a key. */
export const signInBytesMax = 4 * KiB
/** Pages that are open at the same time, and those of them that have not signed in; the oldest of these is closed for a new one. */
export const pageSocketsMax = 128
export const unsignedSocketsMax = 16
/** For a page to sign what it was given. */
export const signatureMs = 10_000
/** One message of a page: it writes longer input in pieces. */
export const pageMessageBytesMax = 1 * MiB
/** Interval of pings to a page; one that has not answered before the next ping is gone. */
export const pagePingMs = 20_000
/** Characters of an address under which an editor forwards the page. */
export const forwardedAddressCharactersMax = 300
/** Other names by which the page is reached. */
export const httpNamesMax = 16
