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

import type { Device } from './device.ts'

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

/** What a page calls itself, so that it is told from others of the same browser: small letters and digits. */
export const tabName = /^[a-z0-9]{4,12}$/

export interface PageNotice {
  readonly notice: { readonly type: 'signedIn'; readonly device: Device }
}

/** What a device signs: good for one socket of one server at one address. */
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
