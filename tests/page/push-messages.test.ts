/** Push notifications without a browser: a device subscribes, and a push service of the test checks and decrypts the messages. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pushPlainBytes, pushTtlMs } from '@agentpty/protocol/page'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { closeAll, openTerminal } from '../harness/browser-page.ts'
import { connected, type Device, type PageSocket, signIn } from '../harness/device.ts'
import { until } from '../harness/instance.ts'
import { accept, type BrowserEnd, browserEnd, claimsOf, type Delivered, pushService } from '../harness/push-service.ts'
import { scratchInstance } from '../harness/scratch.ts'

const service = await pushService()
afterAll(() => service.close())
const contact = 'mailto:operator@example.com'
const instance = scratchInstance({
  AGENTPTY_HTTP_PORT: '0',
  AGENTPTY_PUSH_HOSTS: service.host,
  AGENTPTY_PUSH_CONTACT: contact,
})
writeFileSync(join(instance.home, 'config.yaml'), 'notify:\n  after: 0\n')
const file = join(instance.home, 'push.json')

let device: Device
let page: PageSocket
let browser: BrowserEnd
let publicKey: string
beforeEach(async () => {
  device = await signIn(await address())
  page = await connected(device)
  browser = await browserEnd()
  publicKey = String((await page.call('pushKey')).result?.['publicKey'])
  service.answer = accept
  service.got.length = 0
})
afterEach(async () => {
  await instance.cli('devices', 'revoke', 'all')
  await closeAll(instance)
})

const address = async (...options: readonly string[]) =>
  (await instance.cli('open', '--print', ...options)).stdout.trim()

const subscribe = (path = '/send/1', wording = 'brief', by = page) =>
  by.call('subscribePush', { subscription: { endpoint: service.origin + path, keys: browser.keys }, wording })

const contentOf = async ({ body }: Delivered) => JSON.parse(await browser.decrypt(body))

/** A program that asks for a password. */
const askForPassword = (name: string) =>
  openTerminal(instance, name, 'bash', '-c', "read -rsp 'Passphrase for key: ' x; exec cat")

test('a message is signed for the origin of its service, encrypted for its browser, and withdrawn by its topic', async () => {
  expect(await subscribe()).toMatchObject({ result: { wording: 'brief' } })
  await askForPassword('deploy')
  await until(() => service.got.length > 0)
  const [need] = service.got
  if (need === undefined) throw new Error('nothing came')
  const { authorization = '', ttl, urgency, topic } = need.headers
  const { aud, exp, sub } = await claimsOf(authorization, publicKey)
  expect({ aud, sub }).toEqual({ aud: service.origin, sub: contact })
  const inSeconds = exp - Date.now() / 1_000
  expect(inSeconds).toBeGreaterThan(0)
  expect(inSeconds).toBeLessThanOrEqual(24 * 3_600)
  expect(need.headers['content-encoding']).toBe('aes128gcm')
  expect({ path: need.path, ttl, urgency }).toEqual({
    path: '/send/1',
    ttl: String(pushTtlMs / 1_000),
    urgency: 'high',
  })
  const content = await contentOf(need)
  expect(content).toMatchObject({ type: 'need', title: 'agentpty', text: 'Something needs you.' })
  expect(Buffer.from(need.body).includes('Passphrase')).toBe(false)

  await instance.cli('close', 'deploy')
  await until(() => service.got.length > 1)
  const [, withdrawn] = service.got
  if (withdrawn === undefined) throw new Error('nothing came')
  expect(withdrawn.headers['topic']).toBe(topic)
  expect(await contentOf(withdrawn)).toEqual({ type: 'withdrawn', needId: content.needId })
  expect(withdrawn.body).toHaveLength(need.body.length)
})

test('a sentence names the terminal and its question, with secrets masked', async () => {
  const secret = 'correct-horse-battery'
  await subscribe('/send/1', 'sentence')
  const person = await instance.rpc({ DEPLOY_TOKEN: secret }, { isPerson: true })
  await person.call('create', {
    name: 'deploy',
    command: ['bash', '-c', `read -rsp "Passphrase for ${secret}: " x; exec cat`],
    waitFor: 'ready',
  })
  await until(() => service.got.length > 0)
  const [need] = service.got
  const content = need && (await contentOf(need))
  expect(content?.title).toBe('deploy needs you')
  expect(content?.text).toContain('Passphrase for')
  expect(JSON.stringify(content)).not.toContain(secret)
  expect(need?.body.length).toBe(pushPlainBytes + 16 + 4 + 1 + 65 + 1 + 16)
})

test('the key and the subscriptions are in a private file, and the next daemon uses them', async () => {
  await subscribe()
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  await instance.killDaemon()
  await askForPassword('later')
  await until(() => service.got.length > 0)
  await claimsOf(service.got[0]?.headers.authorization ?? '', publicKey)
})

test('a revoked device gets no more, and no trace of its subscription is kept', async () => {
  await subscribe('/send/secret-path')
  expect(readFileSync(file, 'utf8')).toContain('secret-path')
  await instance.cli('devices', 'revoke', device.deviceId)
  expect(readFileSync(file, 'utf8')).not.toContain('secret-path')
  await askForPassword('alone')
  const person = await instance.rpc({}, { isPerson: true })
  await until(async () => (await person.call('needs', {})).needs.length > 0)
  expect(service.got).toEqual([])
})

test.each([404, 410])('the answer %s ends the subscription', async (status) => {
  service.answer = (response) => void response.writeHead(status).end()
  await subscribe('/send/over')
  await askForPassword('over')
  await until(() => !readFileSync(file, 'utf8').includes('/send/over'))
  expect((await page.call('pushKey')).result).toMatchObject({ own: null })
})

test('a busy service gets the message again, and a redirect is not followed', async () => {
  service.answer = (response) => {
    service.answer = accept
    response.writeHead(503, { 'retry-after': '1' }).end()
  }
  await subscribe('/send/busy')
  await askForPassword('busy')
  await until(() => service.got.length === 2)
  expect(service.got.map(({ path }) => path)).toEqual(['/send/busy', '/send/busy'])

  service.answer = (response) => void response.writeHead(307, { location: `${service.origin}/elsewhere` }).end()
  expect(await page.call('testPush')).toMatchObject({ error: { code: 'machine_unfit' } })
  expect(service.got.map(({ path }) => path)).not.toContain('/elsewhere')
})

test('a service that answers without end is left after its status', async () => {
  service.answer = (response) => {
    response.writeHead(201)
    response.write('x'.repeat(1_000_000))
  }
  await subscribe()
  expect(await page.call('testPush')).toMatchObject({ result: { isSent: true } })
})

test('a test is sent at once, and only to the device that asks', async () => {
  expect(await page.call('testPush')).toMatchObject({ error: { code: 'invalid_input' } })
  await subscribe()
  expect(await page.call('testPush')).toMatchObject({ result: { isSent: true } })
  const [got] = service.got
  expect(got && (await contentOf(got))).toMatchObject({ type: 'test' })
})

const addresses: readonly (readonly [string, string])[] = [
  ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/'],
  ['another port of this machine', 'http://127.0.0.1:1/x'],
  ['this machine by another name', 'https://[::ffff:127.0.0.1]/x'],
  ['a private network', 'https://10.0.0.1/x'],
  ['a file', 'file:///etc/passwd'],
  ['10 kB', `https://push.example.com/${'x'.repeat(10_000)}`],
  ['nothing', ''],
]
test.each(addresses)('a subscription whose address is %s is refused', async (_what, endpoint) => {
  const answer = await page.call('subscribePush', { subscription: { endpoint, keys: browser.keys } })
  expect(answer).toMatchObject({ error: { code: 'invalid_input' } })
  expect(readFileSync(file, 'utf8')).not.toContain(device.deviceId)
})

test('a name that leads to this machine is refused when a message is sent', async () => {
  const endpoint = 'https://localhost/x'
  await page.call('subscribePush', { subscription: { endpoint, keys: browser.keys } })
  expect(await page.call('testPush')).toMatchObject({ error: { message: expect.stringContaining('private address') } })
})

const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
const hostile: readonly (readonly [string, (good: BrowserEnd['keys']) => unknown])[] = [
  ['a point that is not on the curve', ({ auth }) => ({ p256dh: offCurve, auth })],
  ['the point at infinity', ({ auth }) => ({ p256dh: 'A'.repeat(87), auth })],
  ['a short point', ({ auth, p256dh }) => ({ p256dh: p256dh.slice(0, 43), auth })],
  ['a secret of 10 kB', ({ p256dh }) => ({ p256dh, auth: 'A'.repeat(10_000) })],
  ['no secret', ({ p256dh }) => ({ p256dh })],
  ['a further field', (good) => ({ ...good, toString: 'x' })],
  ['numbers', () => ({ p256dh: 1, auth: 2 })],
  ['null', () => null],
]
test.each(hostile)('a subscription whose keys are %s is refused', async (_what, keysFrom) => {
  const subscription = { endpoint: `${service.origin}/send/1`, keys: keysFrom(browser.keys) }
  expect(await page.call('subscribePush', { subscription })).toMatchObject({ error: { code: 'invalid_input' } })
  expect(readFileSync(file, 'utf8')).not.toContain(device.deviceId)
})

test('a device that subscribes 200 times has one subscription', async () => {
  for (let n = 0; n < 200; n++) await subscribe(`/send/${n}`)
  const { subscriptions } = JSON.parse(readFileSync(file, 'utf8'))
  expect(subscriptions).toMatchObject([
    { deviceId: device.deviceId, subscription: { endpoint: `${service.origin}/send/199` } },
  ])
})

test('only a signed-in device of a person subscribes: no read-only device, no agent and no command', async () => {
  const subscription = { endpoint: `${service.origin}/send/1`, keys: browser.keys }
  const viewer = await connected(await signIn(await address('--read-only')))
  const agent = await instance.rpc()
  const command = await instance.rpc({}, { isPerson: true, deviceId: device.deviceId } as object)
  for (const [verb, input] of [
    ['pushKey', {}],
    ['subscribePush', { subscription }],
    ['testPush', {}],
  ] as const) {
    expect(await viewer.call(verb, input)).toMatchObject({ error: { code: 'denied' } })
    for (const client of [agent, command])
      await expect(client.call(verb, input as never)).rejects.toMatchObject({ code: 'denied' })
  }
  await expect(agent.call('unsubscribePush', { deviceId: device.deviceId })).rejects.toMatchObject({ code: 'denied' })
  expect(readFileSync(file, 'utf8')).not.toContain(device.deviceId)
})

test('the list of devices says what each one gets, and mute ends it', async () => {
  await subscribe('/send/1', 'sentence')
  const other = await connected(await signIn(await address()))
  expect((await instance.cli('devices')).stdout).toMatch(
    /^dev-\S+ .*notified with the question\ndev-\S+ (?!.*notified).*\n$/,
  )
  expect((await instance.cli('devices', 'mute', device.deviceId)).stdout).toBe(
    `${device.deviceId} gets no more push notifications.\n`,
  )
  expect((await instance.cli('devices')).stdout).not.toContain('notified')
  expect((await other.call('pushKey')).result).toMatchObject({ own: null })
})

test('a daemon without push notifications writes no file for them', async () => {
  const own = scratchInstance({ AGENTPTY_HTTP_PORT: '0' })
  await own.status()
  await own.cli('devices')
  expect(existsSync(join(own.home, 'push.json'))).toBe(false)
})
