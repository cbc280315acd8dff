/**
 * The first messages on the page's WebSocket, before those of the wire. Each is a JSON object.
 *
 *   ← {hello: 1, nonce, instance, version, build}
 *   → {signIn: {deviceId, signature, tab?}} {@link signedText}, signed by the key of the device; which of its pages it is
 *   ← {signedIn: {device}}                  from here on it is the wire
 *   ← {error: {code, message, hint}}        and the socket is closed
 *
 * Beside the messages of the wire a page gets news of devices:
 *
 *   ← {notice: {type: 'signedIn', device}}
 */

import * as z from 'zod'
import type { Stop } from './ports.ts'

export const wirePath = '/wire'
export const signInPath = '/sign-in'

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

export interface PageNotice {
  readonly notice: { readonly type: 'signedIn'; readonly device: Device }
}

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

/**
 * Devices: browsers that have signed in to the page. Each has a key of its own that never leaves it; what is kept of it here opens nothing.
 */

/** The access of a device: all that a person may, or viewing all terminals or one. */
export const DeviceAccess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('view'), terminalId: z.string().nullable().describe('null: all terminals.') }),
])
export type DeviceAccess = Readonly<z.output<typeof DeviceAccess>>

export const Device = z.object({
  deviceId: z.string().describe('Never given twice.'),
  name: z.string().describe('The browser and the system, as it says.'),
  access: DeviceAccess.describe('What it may do.'),
  createdAt: z.number().describe('When it signed in for the first time, in milliseconds since 1970.'),
  seenAt: z.number().describe('When it was last there.'),
  expiresAt: z.number().nullable().describe('When its access ends; null: when it is revoked.'),
})
export type Device = Readonly<z.output<typeof Device>>

export const KeptDevices = z.object({
  /** The id of this home: a signature for another one is invalid here. */
  instance: z.string().min(16),
  devices: z.array(
    Device.extend({
      /** The public key: a point of P-256, uncompressed, in base64url. */
      publicKey: z.string(),
    }),
  ),
})
export type KeptDevices = Readonly<z.output<typeof KeptDevices>>
export type KeptDevice = KeptDevices['devices'][number]

/** A new code, in the address that is opened with it. */
interface SignInAddress {
  readonly url: string
  /** A file that leads a browser there, so that the address is in no list of processes; null where none was asked for. */
  readonly file: string | null
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

export type DeviceEvent =
  | { readonly type: 'signedIn'; readonly device: Device }
  | { readonly type: 'revoked'; readonly device: Device; readonly by: string }

export interface Devices {
  readonly instance: string
  /** Errors: `environment` when there is no page to open; `session_not_found`; `limit_reached`. */
  invite(request: {
    readonly access: DeviceAccess
    readonly forMs: number | null
    readonly withFile: boolean
  }): SignInAddress
  /** A code is used up by this. Errors: `denied`, `limit_reached`, `invalid_input` for what is no key. */
  signIn(request: { readonly code: string; readonly publicKey: string; readonly name: string }): Device
  /** The device whose key has signed the text; null for a device that there is not, and for a signature that is wrong. */
  recognize(request: { readonly deviceId: string; readonly text: string; readonly signature: string }): Device | null
  /** Null once it was revoked or its time is over. */
  find(deviceId: string): Device | null
  /** The newest last. */
  list(): readonly Device[]
  /** `all`: every one. Errors: `invalid_input` when there is none of that id. */
  revoke(deviceId: string, by: string): readonly Device[]
  onChange(listener: (event: DeviceEvent) => void): Stop
}

export const exampleDevice: Device = {
  deviceId: 'dev-8f2k1c',
  name: 'Firefox on Linux',
  access: { kind: 'all' },
  createdAt: 1750000000000,
  seenAt: 1750000360000,
  expiresAt: null,
}

/** Every bound of the page and of signing in to it. Sizes are bytes, durations milliseconds. */

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
/**
 * Pages that are open at the same time, and those of them that have not signed in; the oldest of these is closed for a
 * new one.
 */
export const pageSocketsMax = 128
export const unsignedSocketsMax = 16
/** For a page to sign what it was given. */
export const signatureMs = 10_000
/** One message of a page: it writes longer input in pieces. */
export const pageMessageBytesMax = 1 * MiB
/** Interval of pings to a page; one that has not answered before the next ping is gone. */
export const pagePingMs = 20_000
/** Other names by which the page is reached. */
export const httpNamesMax = 16
