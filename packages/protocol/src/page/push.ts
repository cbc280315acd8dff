/** Push notifications: messages to a browser that works without an open page. The browser's push service forwards them encrypted. */

import * as z from 'zod'
import type { Millis } from '../units.ts'
import {
  type PushWording,
  pushAuthCharacters,
  pushEndpointCharactersMax,
  pushKeyCharacters,
  pushWordings,
} from './push-limits.ts'

const base64url = (characters: number) =>
  z
    .string()
    .length(characters)
    .regex(/^[\w-]+$/, 'base64url without padding')

export const PushSubscription = z.strictObject({
  endpoint: z.string().min(1).max(pushEndpointCharactersMax).describe('The address at the push service.'),
  keys: z.strictObject({
    p256dh: base64url(pushKeyCharacters).describe('The public key of the browser.'),
    auth: base64url(pushAuthCharacters).describe('A secret that the browser shares with the server.'),
  }),
})
export type PushSubscription = Readonly<z.output<typeof PushSubscription>>

export const PushWordingField = z
  .enum(pushWordings)
  .describe('`brief`: only that something waits. `sentence`: also which terminal, and its question.')

const KeptSubscription = z.object({
  deviceId: z.string(),
  subscription: PushSubscription,
  wording: PushWordingField,
})
export type KeptSubscription = Readonly<z.output<typeof KeptSubscription>>

/** The key pair that identifies this server at push services (VAPID): the point and the number of P-256, in base64url. */
const PushKeys = z.object({ publicKey: z.string(), privateKey: z.string() })
export type PushKeys = Readonly<z.output<typeof PushKeys>>

export const KeptPushes = z.object({ keys: PushKeys, subscriptions: z.array(KeptSubscription) })
export type KeptPushes = Readonly<z.output<typeof KeptPushes>>

/** One message on its way to a push service. */
export interface PushMessage {
  /** At most {@link pushPlainBytes} bytes. */
  readonly text: string
  /** A later message of the same topic replaces one that is not delivered yet: at most 32 characters of base64url. */
  readonly topic: string
  readonly urgency: 'high' | 'normal'
}

/** `gone`: the subscription ended. `refused`: another try would be refused, too. `later`: the service is busy. */
export type PushOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'gone'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'later'; readonly why: string; readonly afterMs: Millis | null }

export interface PushSender {
  makeKeys(): PushKeys
  /** Errors: `invalid_input` for an address that gets no messages, and for a key that is no point of the curve. */
  check(subscription: PushSubscription): void
  /** Errors: those of the network. */
  send(subscription: PushSubscription, message: PushMessage, keys: PushKeys): Promise<PushOutcome>
}

/** The messages that one device gets. */
export interface OwnPush {
  readonly wording: PushWording
  readonly endpoint: string
}

/** The devices that get push notifications. */
export interface Pushes {
  /** Null for a device that gets none. */
  of(deviceId: string): OwnPush | null
  /** The public key of this server, which browsers subscribe with. It is made at the first call. */
  publicKey(): Promise<string>
  /** Replaces an earlier subscription of the device. Errors: `invalid_input`, `machine_unfit`. */
  subscribe(request: KeptSubscription): Promise<void>
  /** False for a device that got none. Errors: `machine_unfit`. */
  unsubscribe(deviceId: string): boolean
  /** Sends a message to the device now. Errors: `invalid_input` without a subscription, `limit_reached`, `machine_unfit` with the reason. */
  test(deviceId: string): Promise<void>
}
