/**
 * The service worker of the page: it shows push notifications, opens the page from them, and replaces the browser's error when agentpty cannot be
 * reached. It stores nothing: no response, no message and no key. Pages always come from the daemon, so an old worker keeps no old page.
 */

import { offlinePage } from './offline-page.ts'
import { readMessage, testTag } from './push-message.ts'

declare const __AGENTPTY_ICON__: string
declare const __AGENTPTY_BADGE__: string

/** The types of a service worker, which the library of types for pages lacks. */
interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface PushEvent extends WaitingEvent {
  readonly data: { text(): string } | null
}

interface NotificationEvent extends WaitingEvent {
  readonly notification: Notification
}

interface FetchEvent extends WaitingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface PageWindow {
  readonly visibilityState: 'visible' | 'hidden'
  focus(): Promise<unknown>
  postMessage(message: OpenNeed): void
}

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: true }): Promise<readonly PageWindow[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: WaitingEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

/** The message of the worker to an open page. */
export interface OpenNeed {
  readonly openNeed: string | null
}

const worker = globalThis as unknown as WorkerScope

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('push', (event) => event.waitUntil(receive(event.data?.text() ?? '')))
worker.addEventListener('notificationclick', (event) => {
  const { tag } = event.notification
  event.notification.close()
  event.waitUntil(openPage(tag === testTag ? null : tag))
})
worker.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(loadPage(event.request))
})

async function receive(text: string): Promise<void> {
  const { type, needId, title, text: body } = readMessage(text)
  const tag = needId ?? testTag
  const { registration } = worker
  const shown = { body, tag, icon: __AGENTPTY_ICON__, badge: __AGENTPTY_BADGE__ }
  if (type !== 'withdrawn') return registration.showNotification(title, shown)
  // Browsers end a subscription whose messages show nothing: this one replaces the notification, and is closed.
  await registration.showNotification(title, { ...shown, silent: true })
  for (const one of await registration.getNotifications({ tag })) one.close()
}

/** Nothing is answered here: the person sees the whole question on the page first. */
async function openPage(needId: string | null): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (page === undefined) {
    await worker.clients.openWindow(needId === null ? './#/needs' : `./#/needs/${needId}`)
    return
  }
  page.postMessage({ openNeed: needId })
  await page.focus()
}

/** The answers of a proxy that does not reach the daemon. */
const unreachedStatuses: ReadonlySet<number> = new Set([502, 503, 504])

async function loadPage(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    return unreachedStatuses.has(response.status) ? offlinePage() : response
  } catch {
    // The daemon or the network is down.
    return offlinePage()
  }
}
