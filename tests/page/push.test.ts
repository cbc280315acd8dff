/** The installable page and its service worker: notifications, the notice without a daemon, and what they store. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page, Worker } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openTerminal } from '../harness/browser-page.ts'
import { eachPage } from '../harness/each-page.ts'
import { until } from '../harness/instance.ts'
import { accept, browserEnd, type Delivered, pushService } from '../harness/push-service.ts'

const service = await pushService()
afterAll(() => service.close())
const browser = await browserEnd()

const at = eachPage({
  env: { AGENTPTY_PUSH_HOSTS: service.host },
  settings: 'notify:\n  after: 0\n',
  context: async (context) => {
    await context.grantPermissions(['notifications'])
    // The browser of the test reaches no vendor's service: only the subscription itself is that of the test.
    await context.addInitScript(subscribeTo, { endpoint: `${service.origin}/send/1`, keys: browser.keys })
  },
})
const { instance } = at

beforeEach(() => {
  service.answer = accept
  service.got.length = 0
})

afterEach(() => instance.cli('devices', 'revoke', 'all'))

interface Subscribing {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** Runs in the page. The subscription lasts as long as the browser's storage, as a real one does. */
function subscribeTo({ endpoint, keys }: Subscribing): void {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
  const made = (key: string) => ({
    endpoint,
    options: { applicationServerKey: bytes(key) },
    getKey: (name: 'p256dh' | 'auth') => bytes(keys[name]),
    unsubscribe: async () => {
      localStorage.removeItem('subscribed')
      return true
    },
  })
  const here = async () => {
    const key = localStorage.getItem('subscribed')
    return key === null ? null : made(key)
  }
  Object.assign(PushManager.prototype, {
    getSubscription: here,
    subscribe: async ({ applicationServerKey }: { readonly applicationServerKey: string }) => {
      localStorage.setItem('subscribed', applicationServerKey)
      return made(applicationServerKey)
    },
  })
}

const devices = () => at.page.getByRole('link', { name: 'Devices' })
const onOff = () => at.page.getByRole('switch', { name: 'Notify this device, also while the page is closed' })

async function turnOn(page: Page): Promise<Worker> {
  await devices().click()
  await onOff().check()
  await page.getByRole('button', { name: 'Send a test notification' }).waitFor()
  await until(() => at.context.serviceWorkers().length > 0)
  const [worker] = at.context.serviceWorkers()
  if (worker === undefined) throw new Error('there is no service worker')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
  return worker
}

interface Versions {
  readonly versions: readonly { readonly registrationId: string; readonly status: string }[]
}

/** Delivers messages to the worker as the browser does for its push service. A worker that is not active yet gets none. */
async function delivery(page: Page): Promise<(text: string) => Promise<void>> {
  const session: CDPSession = await at.context.newCDPSession(page)
  const active = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }: Versions) => {
      const one = versions.find(({ status }) => status === 'activated')
      if (one !== undefined) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await active
  const { origin } = new URL(page.url())
  const [worker] = at.context.serviceWorkers()
  if (worker === undefined) throw new Error('there is no service worker')
  await worker.evaluate(countShown)
  const count = () => worker.evaluate(() => (globalThis as unknown as Counting).shownCount)
  return async (data) => {
    const before = await count()
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    await until(async () => (await count()) > before)
  }
}

interface Counting {
  readonly registration: ServiceWorkerRegistration
  shownCount: number
}

/**
 * Runs in the worker. Each message shows one notification. To ask for the list until it has one would remove it: Chromium removes those that it has
 * recorded and not shown yet.
 */
function countShown(): void {
  const scope = globalThis as unknown as Counting
  const { registration } = scope
  const show = registration.showNotification.bind(registration)
  scope.shownCount = 0
  Object.defineProperty(registration, 'showNotification', {
    value: async (title: string, options: NotificationOptions) => {
      await show(title, options)
      scope.shownCount++
    },
  })
}

const decrypted = ({ body }: Delivered): Promise<string> => browser.decrypt(body)

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
}

const shown = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const all = (await registration?.getNotifications()) ?? []
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  })

/** Clicks on a notification. The debugging protocol has no click, so the event is dispatched in the worker. */
const click = (worker: Worker, tag: string): Promise<void> =>
  worker.evaluate(async (wanted) => {
    const scope = globalThis as unknown as { readonly registration: ServiceWorkerRegistration }
    const made = (globalThis as unknown as { NotificationEvent: new (type: string, init: object) => Event })
      .NotificationEvent
    const [notification] = await scope.registration.getNotifications({ tag: wanted })
    dispatchEvent(new made('notificationclick', { notification }))
  }, tag)

const askForPassword = (name: string) =>
  openTerminal(instance, name, 'bash', '-c', "read -rsp 'Passphrase for key: ' x; exec cat")

test('Chromium finds nothing that keeps the page from being installed', async () => {
  const session = await at.context.newCDPSession(at.page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const { errors, data = '', url } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { start_url: start, scope, icons, ...rest } = JSON.parse(data)
  expect(rest).toMatchObject({ name: 'agentpty', display: 'standalone' })
  for (const path of [start, scope]) expect(new URL(path, url).href).toBe(new URL('/', url).href)
  for (const { src, sizes } of icons) {
    const size = await at.page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, new URL(src, url).href)
    if (sizes !== 'any') expect(size).toBe(sizes)
  }
})

test('a need arrives as a notification, a click opens it on the page, and an answer closes it', async () => {
  const worker = await turnOn(at.page)
  await at.page.getByLabel('Also which terminal, and its question').check()
  await until(async () => (await instance.cli('devices')).stdout.includes('notified with the question'))
  await askForPassword('deploy')
  await until(() => service.got.length > 0)
  const deliver = await delivery(at.page)
  const [need] = service.got
  if (need === undefined) throw new Error('nothing came')
  await deliver(await decrypted(need))
  await until(async () => (await shown(at.page)).length > 0)
  const [notification] = await shown(at.page)
  expect(notification).toMatchObject({ title: 'deploy needs you', body: 'Passphrase for key:' })

  await click(worker, notification?.tag ?? '')
  await at.page.getByRole('heading', { name: 'Needs you' }).waitFor()
  expect(new URL(at.page.url()).hash).toBe(`#/needs/${notification?.tag}`)
  expect(await shown(at.page)).toEqual([])
  // The click has answered nothing.
  expect((await instance.cli('needs', '--json')).stdout).toContain(notification?.tag)

  await deliver(await decrypted(need))
  await until(async () => (await shown(at.page)).length > 0)
  await instance.cli('close', 'deploy')
  await until(async () => (await shown(at.page)).length === 0)
})

test('a message that a need was answered closes its notification and no other', async () => {
  await turnOn(at.page)
  const deliver = await delivery(at.page)
  for (const needId of ['term-1@5', 'term-2@5'])
    await deliver(JSON.stringify({ type: 'need', needId, title: needId, text: 'b' }))
  await until(async () => (await shown(at.page)).length === 2)
  await deliver(JSON.stringify({ type: 'withdrawn', needId: 'term-1@5' }))
  await until(async () => (await shown(at.page)).length === 1)
  expect(await shown(at.page)).toMatchObject([{ tag: 'term-2@5' }])
})

test('a page without a window is opened at the need', async () => {
  const worker = await turnOn(at.page)
  const deliver = await delivery(at.page)
  await deliver(JSON.stringify({ type: 'need', needId: 'term-1@5', title: 'a', text: 'b' }))
  await until(async () => (await shown(at.page)).length > 0)
  const opened = await worker.evaluate(async () => {
    const asked: string[] = []
    const scope = globalThis as unknown as {
      readonly registration: ServiceWorkerRegistration
      readonly clients: { matchAll: unknown; openWindow: unknown }
      NotificationEvent: new (type: string, init: object) => Event
    }
    // A window can only be opened after a real click of a person.
    Object.defineProperty(scope.clients, 'matchAll', { value: async () => [] })
    const done = new Promise<void>((resolve) =>
      Object.defineProperty(scope.clients, 'openWindow', {
        value: async (url: string) => {
          asked.push(url)
          resolve()
        },
      }),
    )
    const [notification] = await scope.registration.getNotifications()
    dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    await done
    return asked
  })
  expect(opened).toEqual(['./#/needs/term-1@5'])
})

test('a test notification takes the whole way', async () => {
  await turnOn(at.page)
  await at.page.getByRole('button', { name: 'Send a test notification' }).click()
  await at.page.getByText('The test was sent.').waitFor()
  const deliver = await delivery(at.page)
  const [got] = service.got
  if (got !== undefined) await deliver(await decrypted(got))
  await until(async () => (await shown(at.page)).length > 0)
  expect(await shown(at.page)).toMatchObject([{ title: 'agentpty', tag: 'test' }])
})

test('after use the browser stores the key of the device and nothing else: no response, no message, no text', async () => {
  await turnOn(at.page)
  await askForPassword('deploy')
  // With each new need the page closes the notifications of those that it does not know.
  await at.page.locator('.badge').waitFor()
  const deliver = await delivery(at.page)
  await deliver(JSON.stringify({ type: 'need', needId: 'term-1@5', title: 'a secret title', text: 'a secret text' }))
  await until(async () => (await shown(at.page)).length > 0)
  await at.page.reload()
  await at.page.getByTitle('Connected', { exact: true }).waitFor()
  const stored = await at.page.evaluate(async () => ({
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    cookies: document.cookie,
  }))
  // "subscribed" is the test's own.
  expect(stored).toEqual({
    caches: [],
    databases: ['agentpty'],
    local: ['subscribed'],
    session: expect.any(Array),
    cookies: '',
  })
  expect(JSON.stringify(stored.session)).not.toContain('secret')
})

test('the page always comes from the daemon, and without one there is a notice without data', async () => {
  await turnOn(at.page)
  const loaded = await at.page.goto(at.page.url().replace(/#.*/, ''))
  expect(loaded?.status()).toBe(200)
  expect(loaded?.headers()['content-security-policy']).toContain("script-src 'self'")
  await instance.cli('stop')
  await at.page.reload()
  await at.page.getByRole('heading', { name: 'agentpty cannot be reached' }).waitFor()
  expect(await at.page.locator('script').count()).toBe(0)
  await instance.status()
  await at.page.getByRole('link', { name: 'Try again' }).click()
  await at.page.getByTitle('Connected', { exact: true }).waitFor()
})

test('turned off, the daemon forgets the subscription, and the browser the worker', async () => {
  await turnOn(at.page)
  await onOff().uncheck()
  await until(async () => !(await instance.cli('devices')).stdout.includes('notified'))
  const left = () =>
    at.page.evaluate(async () => [
      localStorage.getItem('subscribed'),
      (await navigator.serviceWorker.getRegistrations()).length,
    ])
  await until(async () => JSON.stringify(await left()) === '[null,0]')
})

test('a subscription that the browser has replaced is sent to the daemon again, and one that was muted ends here', async () => {
  await turnOn(at.page)
  await at.page.evaluate(() => localStorage.removeItem('subscribed'))
  await at.page.reload()
  await until(() => at.page.evaluate(() => localStorage.getItem('subscribed') !== null))
  const [, deviceId = ''] = /^(dev-\w+) .*notified/m.exec((await instance.cli('devices')).stdout) ?? []
  await instance.cli('devices', 'mute', deviceId)
  await at.page.reload()
  await until(() => at.page.evaluate(() => localStorage.getItem('subscribed') === null))
})

test('a page whose person has turned nothing on has no worker', async () => {
  await devices().click()
  await onOff().waitFor()
  expect(at.context.serviceWorkers()).toEqual([])
  expect(await at.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
})

test('the first load has at most 50 KB, and the emulator is no part of it', async () => {
  await at.page.reload()
  await at.page.getByTitle('Connected', { exact: true }).waitFor()
  const scripts = await at.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\.(?:js|css)$/.test(name))
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
  )
  expect(scripts.length).toBeGreaterThan(1)
  expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(50 * 1_024)
})

test('no file of the state folder but the one for push notifications holds the subscription', async () => {
  await turnOn(at.page)
  const holders = await instance.cli('devices', '--json')
  expect(holders.stdout).not.toContain('/send/1')
  expect(readdirSync(join(instance.home)).filter((name) => name.startsWith('push'))).toEqual(['push.json'])
})

test('an installed page without an address bar signs in with a pasted address', async () => {
  const context = await at.browser.newContext()
  const page = await context.newPage()
  await page.goto(at.page.url().replace(/#.*/, ''))
  const address = page.getByLabel('Or paste the address')
  await address.fill('hello')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('That is not an address of agentpty open.').waitFor()
  await address.fill((await instance.cli('open', '--print')).stdout)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByTitle('Connected', { exact: true }).waitFor()
  expect(page.url()).not.toContain('#c=')
  await context.close()
})
