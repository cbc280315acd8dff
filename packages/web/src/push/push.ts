/** Push notifications of this browser: turned on and off by a person, and renewed when the browser has changed its subscription. */

import type { PushWording } from '@agentpty/protocol/page'
import type { WireClient } from '@agentpty/protocol/wire'
import { effect } from '@preact/signals'
import { base64url } from '../session/device-key.ts'
import { workerAddress } from '../session/worker-address.ts'
import { isInstalled, permission, pushes } from '../store/attention.ts'
import { go } from '../store/route.ts'
import { needs, rows } from '../store/store.ts'
import { testTag } from './push-message.ts'
import type { OpenNeed } from './worker.ts'

/** Why this browser gets no push notifications; null where it can. */
export type Obstacle = 'insecure' | 'unsupported' | 'blocked' | null

export const obstacle = (): Obstacle => {
  if (!isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported'
  return permission.value === 'denied' ? 'blocked' : null
}

const subscriptionHere = async (): Promise<PushSubscription | null> =>
  (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription() ?? null

/** Must be called from a click: the browser asks the person. Errors: of the browser and of the daemon. */
export async function turnOn(client: WireClient, wording: PushWording): Promise<void> {
  permission.value = await Notification.requestPermission()
  if (permission.value !== 'granted') return
  const { publicKey } = await client.call('pushKey', {})
  await subscribe(client, { publicKey, wording })
}

interface Wanted {
  readonly publicKey: string
  readonly wording: PushWording
}

async function subscribe(client: WireClient, { publicKey, wording }: Wanted): Promise<void> {
  const registration = await register()
  const before = await registration.pushManager.getSubscription()
  // A subscription belongs to one key of one server.
  if (before !== null && keyOf(before) !== publicKey) await before.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  await client.call('subscribePush', { subscription: writtenOf(subscription), wording })
  pushes.value = wording
  followWorker()
}

/** The worker is there for push notifications and for installed pages. */
async function register(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerAddress('push'), { scope: './', updateViaCache: 'none' })
  return navigator.serviceWorker.ready
}

/** Errors: of the daemon; then the browser has forgotten the subscription already. */
export async function turnOff(client: WireClient): Promise<void> {
  await forgetHere()
  await client.call('unsubscribePush', {})
  pushes.value = null
}

async function forgetHere(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe()
  const registration = await navigator.serviceWorker.getRegistration()
  for (const one of (await registration?.getNotifications()) ?? []) one.close()
  if (!isInstalled()) await registration?.unregister()
}

/** Compares this browser's subscription with the daemon's, at each connection. Browsers replace subscriptions now and then. */
export async function renew(client: WireClient): Promise<void> {
  if (obstacle() !== null) return
  if (isInstalled()) await register()
  const here = await subscriptionHere()
  if (here === null && Notification.permission !== 'granted') return
  const { publicKey, own } = await client.call('pushKey', {})
  pushes.value = own?.wording ?? null
  // It was turned off elsewhere, or this browser has signed in as a new device.
  if (own === null) return here === null ? undefined : forgetHere()
  followWorker()
  if (here === null || here.endpoint !== own.endpoint || keyOf(here) !== publicKey)
    await subscribe(client, { publicKey, wording: own.wording })
}

function writtenOf(subscription: PushSubscription) {
  const { endpoint } = subscription
  const key = (name: PushEncryptionKeyName) => base64url(subscription.getKey(name) ?? new ArrayBuffer(0))
  return { endpoint, keys: { p256dh: key('p256dh'), auth: key('auth') } }
}

const keyOf = ({ options }: PushSubscription): string => base64url(options.applicationServerKey ?? new ArrayBuffer(0))

let isFollowing = false

/** Goes to the need whose notification was clicked, and closes the notifications of needs that are answered. */
function followWorker(): void {
  if (isFollowing) return
  isFollowing = true
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<OpenNeed>) => {
    go(data.openNeed === null ? { room: 'needs' } : { room: 'needs', needId: data.openNeed })
  })
  effect(() => {
    const open = new Set(needs.value.map(({ needId }) => needId))
    if (rows.value !== null && pushes.value !== null) void closeAnswered(open)
  })
}

async function closeAnswered(open: ReadonlySet<string>): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  for (const one of (await registration?.getNotifications()) ?? [])
    if (one.tag !== testTag && !open.has(one.tag)) one.close()
}
