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
import type { SignInAddress } from './page-messages.ts'
import { PushWordingField } from './push.ts'

export interface PageNotice {
  readonly notice: { readonly type: 'signedIn'; readonly device: Device }
}

// Devices: browsers that have signed in to the page. Each has a key of its own that never leaves it; what is kept of it here opens nothing.

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

export const ListedDevice = Device.extend({
  push: PushWordingField.optional().describe('The push notifications that it gets; absent: none.'),
})
export type ListedDevice = Readonly<z.output<typeof ListedDevice>>

export const KeptDevices = z.object({
  /** The id of this home: a signature for another one is invalid here. */
  instance: z.string().min(16),
  devices: z.array(
    Device.extend({
      /** The public key: a point of P-256, uncompressed, in base64url. */
      publicKey: z.string(),
      /** The origin under which an editor forwards the page to it; null: one of the page's own. */
      origin: z.string().nullable().default(null),
    }),
  ),
})
export type KeptDevices = Readonly<z.output<typeof KeptDevices>>
export type KeptDevice = KeptDevices['devices'][number]

export type DeviceEvent =
  | { readonly type: 'signedIn'; readonly device: Device }
  | { readonly type: 'revoked'; readonly device: Device; readonly by: string }

export interface Devices {
  readonly instance: string
  /** Errors: `machine_unfit` when there is no page to open; `session_not_found`; `limit_reached`. */
  invite(request: {
    readonly access: DeviceAccess
    readonly forMs: number | null
    readonly withFile: boolean
    readonly origin?: string | null
  }): SignInAddress
  /** The origins under which editors forward the page, of devices and of open codes. */
  readonly origins: readonly string[]
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
  onChange(listener: (event: DeviceEvent) => void): void
}
