/** Attacks on the page’s server from elsewhere, with found or guessed data: none may see a terminal. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { httpConnectionsMax } from '@agentpty/protocol'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { pageInstance } from '../harness/browser-page.ts'
import { asPage, codeIn, connected, makeKey, PageSocket, signIn } from '../harness/device.ts'
import { send } from '../harness/http.ts'
import { program, run, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = pageInstance()
let base: string

beforeAll(async () => {
  base = (await instance.status()).http?.url ?? ''
})

afterEach(async () => {
  await instance.cli('devices', 'revoke', 'all')
})

async function address(...flags: readonly string[]): Promise<string> {
  const { stdout, code, stderr } = await instance.cli('open', '--print', ...flags)
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

const port = () => new URL(base).port
const useCode = async (code: string, headers = asPage(base)) =>
  send(`${base}/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code, publicKey: (await makeKey()).publicKey }),
  })

test('a browser that signs in with a code and its own key sees terminals, and its input arrives', async () => {
  const page = await connected(await signIn(await address()))
  const opened = await page.call('create', { command: ['cat'] })
  const terminalId = opened.result?.['terminalId']
  expect(await page.call('write', { terminalId, data: Buffer.from('hello\r').toString('base64') })).toMatchObject({
    result: { written: true },
  })
  await until(async () => JSON.stringify(await page.call('read', { terminalId })).includes('hello'))
  expect(await page.call('devices')).toMatchObject({ result: { devices: [{ access: { kind: 'all' } }] } })
  await page.call('close', { terminalId })
})

test.each([
  ['a foreign name that points to this machine', () => `evil.example:${port()}`],
  ['no port', () => '127.0.0.1'],
  ['another port', () => '127.0.0.1:1'],
  ['another address of this machine', () => `127.0.0.2:${port()}`],
  ['a name with ours as a suffix', () => `evil-localhost:${port()}`],
])('a Host that is %s gets no page, no socket and no sign-in', async (_what, host) => {
  const foreign = { host: host(), origin: `http://${host()}` }
  expect((await send(`${base}/`, { headers: foreign })).status).toBe(421)
  const code = codeIn(await address())
  expect((await useCode(code, { ...asPage(base), ...foreign })).status).toBe(421)
  await expect(new PageSocket(base, foreign).hello()).rejects.toThrow('closed')
  expect((await useCode(code)).status).toBe(200)
})

test.each([
  ['a foreign page', { origin: 'https://evil.example' }],
  ['a page of another port', { origin: 'http://127.0.0.1:3000' }],
  ['a file or a sandbox', { origin: 'null' }],
  ['our page by another name, as a proxy would', { origin: 'http://localhost' }],
  ['a request without an origin', { origin: undefined }],
  ['another port, as the browser says', { 'sec-fetch-site': 'same-site' }],
  ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
])('%s can neither sign in nor open a socket', async (_who, lie) => {
  const headers = Object.fromEntries(
    Object.entries({ ...asPage(base), ...lie }).filter((one): one is [string, string] => one[1] !== undefined),
  )
  const code = codeIn(await address())
  expect((await useCode(code, headers)).status).toBe(403)
  await expect(new PageSocket(base, headers).hello()).rejects.toThrow('closed')
  expect((await useCode(code)).status).toBe(200)
})

test('a form of another page, which cannot send JSON, signs in no browser', async () => {
  const code = codeIn(await address())
  const form = { ...asPage(base), 'content-type': 'text/plain' }
  expect((await useCode(code, form)).status).toBe(415)
})

test('a POST without the browser’s statement of its origin is refused', async () => {
  const { 'sec-fetch-site': _, ...headers } = asPage(base)
  expect((await useCode(codeIn(await address()), headers)).status).toBe(403)
})

test('a code works once', async () => {
  const code = codeIn(await address())
  expect((await useCode(code)).status).toBe(200)
  const again = await useCode(code)
  expect(again.status).toBe(403)
  expect(again.body).toContain('used already')
})

test('a key of another curve does not use up the code', async () => {
  const code = codeIn(await address())
  const body = JSON.stringify({ code, publicKey: Buffer.alloc(65, 4).toString('base64url') })
  expect((await send(`${base}/sign-in`, { method: 'POST', headers: asPage(base), body })).status).toBe(400)
  expect((await useCode(code)).status).toBe(200)
})

test('a signature for another socket opens no socket', async () => {
  const device = await signIn(await address())
  const other = await new PageSocket(base).hello()
  const socket = new PageSocket(base)
  expect(await socket.signIn(device, { hello: other })).toMatchObject({ error: { code: 'denied' } })
  expect(await socket.closed).toBe(4401)
})

test('a message that opened one socket opens no other', async () => {
  const device = await signIn(await address())
  const first = new PageSocket(base)
  const sent: string[] = []
  const say = first.web.send.bind(first.web)
  first.web.send = ((text: string) => {
    sent.push(text)
    say(text)
  }) as typeof first.web.send
  expect(await first.signIn(device)).toHaveProperty('signedIn')
  const second = new PageSocket(base)
  await second.hello()
  second.web.send(sent[0] ?? '')
  expect(await second.next()).toMatchObject({ error: { code: 'denied' } })
})

test('a signature for another port or another name opens no socket', async () => {
  const device = await signIn(await address())
  for (const host of ['127.0.0.1:3000', `localhost:${port()}`])
    expect(await new PageSocket(base).signIn(device, { host })).toMatchObject({ error: { code: 'denied' } })
})

test('an unknown key opens no socket, and neither does the key of another device', async () => {
  const one = await signIn(await address())
  const other = await signIn(await address())
  const lies = [
    { ...one, deviceId: 'dev-000000000000' },
    { ...one, deviceId: other.deviceId },
    { ...one, key: await makeKey() },
  ]
  for (const lie of lies) expect(await new PageSocket(base).signIn(lie)).toMatchObject({ error: { code: 'denied' } })
})

test('a socket without a signature gets no response', async () => {
  const socket = new PageSocket(base)
  await socket.hello()
  socket.say({ id: 1, method: 'list', params: {} })
  expect(await socket.next()).toMatchObject({ error: { code: 'denied' } })
  expect(await socket.closed).toBe(4401)
})

test('a revoked device loses its open pages immediately and cannot return', async () => {
  const device = await signIn(await address())
  const page = await connected(device)
  expect(await instance.cli('devices', 'revoke', device.deviceId)).toMatchObject({ code: 0 })
  expect(await page.closed).toBe(4401)
  expect(await new PageSocket(base).signIn(device)).toMatchObject({ error: { code: 'denied' } })
})

test('other pages are notified of a new device, and the new one is not notified of itself', async () => {
  const page = await connected(await signIn(await address()))
  const fresh = await signIn(await address())
  expect(await page.next()).toMatchObject({ notice: { type: 'signedIn', device: { deviceId: fresh.deviceId } } })
})

test('a read-only device watches its terminal, changes nothing and sees no other', async () => {
  const person = await connected(await signIn(await address()))
  const open = async () => String((await person.call('create', { command: ['cat'] })).result?.['terminalId'])
  const own = await open()
  const other = await open()
  const page = await connected(await signIn(await address('--read-only', '--terminal', own)))
  expect((await page.call('list')).result).toMatchObject({ terminals: [{ terminalId: own }] })
  expect(await page.call('read', { terminalId: own })).toHaveProperty('result')
  expect(await page.call('read', { terminalId: other })).toMatchObject({ error: { code: 'session_not_found' } })
  expect(await page.call('follow', { terminalId: other, since: 0 })).toMatchObject({
    error: { code: 'session_not_found' },
  })
  const changes: readonly [string, object][] = [
    ['tool', { toolset: 'terminal', tool: 'terminal_send', input: { terminalId: own, text: 'x' } }],
    ['write', { terminalId: own, data: 'eA==' }],
    ['send', { terminalId: own, text: 'x' }],
    ['resize', { terminalId: own, cols: 10, rows: 10 }],
    ['close', { terminalId: own }],
    ['rename', { terminalId: own, name: 'mine' }],
    ['create', {}],
    ['openPage', {}],
    ['devices', {}],
    ['revokeDevice', { deviceId: 'all' }],
    ['approvals', {}],
    ['daemon.status', {}],
    ['daemon.stop', { all: true }],
  ]
  for (const [verb, params] of changes)
    expect([verb, await page.call(verb, params)]).toMatchObject([verb, { error: { code: 'denied' } }])
  await person.call('close', { terminalIds: [own, other] })
})

test('a read-only device is signed out when its time is over', async () => {
  const page = await connected(await signIn(await address('--read-only', '--for', '1s')))
  await until(async () => 'error' in (await page.call('list')))
  expect(await page.call('list')).toMatchObject({ error: { code: 'denied' } })
  expect((await instance.cli('devices')).stdout).toContain('No devices')
})

test('log, journal, files and the list of devices contain nothing with which to sign in', async () => {
  const url = await address()
  const device = await signIn(url)
  const unused = codeIn(await address())
  await connected(device)
  const found = filesBelow(instance.home).map((file) => readFileSync(file, 'latin1'))
  const journal = found.join('\n')
  for (const secret of [codeIn(url), unused]) expect(journal).not.toContain(secret)
  expect(journal).toContain(device.deviceId)
  expect((await useCode(codeIn(url))).status).toBe(403)
  expect((await instance.cli('audit')).stdout).toContain('signed in to the page')
})

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(full)
    return entry.isFile() ? [full] : []
  })
}

test('the file that leads a browser to the page is private, and deleted after the code is used', async () => {
  const person = await instance.rpc({}, { isPerson: true })
  const { file = '', url } = await person.call('openPage', { withFile: true })
  expect(readFileSync(file, 'utf8')).toContain(url)
  await signIn(url)
  expect(existsSync(file)).toBe(false)
})

test('a browser is started with that file, so that no process list shows the code', async () => {
  const folder = join(instance.home, 'programs')
  mkdirSync(folder)
  const seen = join(instance.home, 'started-with')
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nstat -c %a "$1" > ${seen}.new\necho "$@" >> ${seen}.new\nmv ${seen}.new ${seen}\n`,
    { mode: 0o755 },
  )
  const env = { ...instance.env, PATH: `${folder}:${instance.env['PATH']}`, DISPLAY: ':0' }
  const { stdout } = await run(process.execPath, [program, 'open', '--json'], env)
  const { url, isOpened } = JSON.parse(stdout)
  expect(isOpened).toBe(true)
  await until(async () => existsSync(seen))
  const [mode, file = ''] = readFileSync(seen, 'utf8').trim().split('\n')
  expect(mode).toBe('600')
  expect(file).not.toContain(codeIn(url))
  expect(readFileSync(file, 'utf8')).toContain(`url=${url}`)
  await signIn(url)
  expect(existsSync(file)).toBe(false)
})

test.each(['/', '/assets/none.js', '/sign-in', '/wire', '/push-worker.js', '/?x'])(
  'the answer at %s forbids framing, loading from elsewhere and type guessing',
  async (path) => {
    const { headers } = await send(base + path)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  },
)

test('the document is fetched each time, and its assets are cached forever', async () => {
  const document = await send(`${base}/`)
  expect(document.headers['cache-control']).toBe('private, no-cache')
  expect(document.headers['content-security-policy']).toContain(
    "require-trusted-types-for 'script'; trusted-types agentpty-worker",
  )
  const [asset = ''] = /\/assets\/[\w-]+\.js/.exec(document.body) ?? []
  const packed = await send(base + asset, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(packed.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': expect.stringContaining('immutable'),
  })
  expect((await send(base + asset)).headers).not.toHaveProperty('content-encoding')
  const nonces = [document, await send(`${base}/`)].map(({ body }) => /style-nonce" content="([^"]+)/.exec(body)?.[1])
  expect(new Set(nonces).size).toBe(2)
})

test('no answer sets a cookie, and a cookie opens nothing', async () => {
  const device = await signIn(await address())
  const cookie = `__Host-agentpty=${device.deviceId}; token=${await instance.token()}`
  for (const path of ['/', '/sign-in', '/wire', '/assets/none.js', '/health']) {
    const { headers } = await send(`${base}${path}`, { headers: { cookie } })
    expect(headers['set-cookie']).toBeUndefined()
  }
  const socket = new PageSocket(base, { origin: base, cookie })
  await socket.hello()
  socket.say({ id: 1, method: 'list', params: {} })
  expect(await socket.next()).toMatchObject({ error: { code: 'denied' } })
})

test('a code or a token in the query is refused, wherever it is', async () => {
  const code = codeIn(await address())
  for (const path of [`/?c=${code}`, `/wire?c=${code}`, `/sign-in?c=${code}`, `/assets/x.js?token=${code}`])
    expect((await send(base + path)).status).toBe(400)
  await expect(
    new PageSocket(base, { origin: base }, `/wire?token=${await instance.token()}`).hello(),
  ).rejects.toThrow()
})

test('the HTTP token opens no socket of the page', async () => {
  const socket = new PageSocket(base, { origin: base, authorization: `Bearer ${await instance.token()}` })
  await socket.hello()
  socket.say({ id: 1, method: 'list', params: {} })
  expect(await socket.next()).toMatchObject({ error: { code: 'denied' } })
})

test('an agent gets no code: not over MCP, not from inside a terminal, not with the token of a scope', async () => {
  const agent = await instance.mcp()
  const { tools } = await agent.protocol.listTools()
  expect(tools.map(({ name }) => name).filter((name) => /page|device|open/.test(name))).toEqual([])
  const { terminalId } = await agent.call('create', { command: ['bash', '--norc'] })
  const person = await instance.rpc()
  const pid = (await person.call('list', {})).terminals.find((one) => one.terminalId === terminalId)?.pid ?? 0
  const inside = await instance.rpcFrom(pid, { isPerson: true })
  await expect(inside.call('openPage', {})).rejects.toMatchObject({ code: 'denied' })
  await expect(inside.call('devices', {})).rejects.toMatchObject({ code: 'denied' })
  await expect(inside.call('revokeDevice', { deviceId: 'all' })).rejects.toMatchObject({ code: 'denied' })
  await expect(person.call('openPage', {})).rejects.toMatchObject({ code: 'denied' })
  const { stdout } = await instance.cli('token', '--scope', 'reviewer')
  const scoped = await instance.rpc({}, { token: stdout.trim(), isPerson: true })
  await expect(scoped.call('openPage', {})).rejects.toMatchObject({ code: 'denied' })
  await agent.call('close', { terminalId })
})

test('frames that are too large, torn or not text close their own socket only', async () => {
  const device = await signIn(await address())
  const good = await connected(device)
  const large = await connected(device)
  const binary = await connected(device)
  const notJson = await connected(device)
  large.web.send('x'.repeat(2 << 20))
  binary.web.send(Buffer.from([1, 2, 3]))
  notJson.web.send('{"id":')
  expect(await Promise.all([large.closed, binary.closed])).toEqual([1009, 1003])
  await notJson.closed
  expect(await good.call('list')).toHaveProperty('result')
})

/** A raw WebSocket whose other end does only what the test does. */
async function handshake(raw: Socket): Promise<void> {
  const head = [
    'GET /wire HTTP/1.1',
    `Host: 127.0.0.1:${port()}`,
    `Origin: ${base}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  await new Promise<void>((resolve) => {
    raw.once('data', () => resolve())
    raw.write(`${head.join('\r\n')}\r\n\r\n`)
  })
}

test('more sockets than the maximum, without signature or close, lock no client out', async () => {
  const page = await connected(await signIn(await address()))
  const silent: Socket[] = []
  for (let n = 0; n < httpConnectionsMax + 20; n++) {
    const raw = connect(Number(port()), '127.0.0.1')
    raw.on('error', () => {})
    silent.push(raw)
    await handshake(raw)
    raw.pause()
  }
  expect((await send(`${base}/health`)).status).toBe(200)
  expect(await page.call('list')).toHaveProperty('result')
  await connected(await signIn(await address()))
  for (const raw of silent) raw.destroy()
})

test.each([
  ['half a frame', Buffer.from([0x81, 0xfe, 0x10])],
  ['a frame that is not masked', Buffer.from([0x81, 0x02, 0x68, 0x69])],
  ['a frame of an unknown kind', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
  ['a text that is not UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
])('%s affects no other client', async (_what, bytes) => {
  const good = await connected(await signIn(await address()))
  const raw = connect(Number(port()), '127.0.0.1')
  await handshake(raw)
  await new Promise<void>((resolve) => {
    raw.once('close', () => resolve())
    raw.write(bytes, () => raw.end())
    raw.resume()
  })
  expect(await good.call('list')).toHaveProperty('result')
})

test('sockets that never sign in replace each other, and displace no page', async () => {
  const page = await connected(await signIn(await address()))
  const silent = Array.from({ length: 40 }, () => new PageSocket(base))
  const codes = await Promise.all(silent.slice(0, 8).map(({ closed }) => closed))
  expect(new Set(codes)).toEqual(new Set([4503]))
  expect(await page.call('list')).toHaveProperty('result')
  for (const { web } of silent) web.terminate()
})

test('a client that offers HTTP/2 with its request is served without it', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${await instance.token()}`,
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  }
  const { status, body } = await send(`${base}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
  expect({ status, hasTools: body.includes('terminal_create') }).toEqual({ status: 200, hasTools: true })
})

test('after many wrong guesses, sign-ins are refused for a while', async () => {
  const own = scratchInstance({ AGENTPTY_HTTP_PORT: '0' })
  const there = (await own.status()).http?.url ?? ''
  const publicKey = (await makeKey()).publicKey
  const guess = (code: string) =>
    send(`${there}/sign-in`, { method: 'POST', headers: asPage(there), body: JSON.stringify({ code, publicKey }) })
  const statuses = await Promise.all(Array.from({ length: 25 }, (_, n) => guess(`guess-${n}`)))
  expect(statuses.map(({ status }) => status).filter((status) => status === 403)).toHaveLength(20)
  expect((await guess(codeIn((await own.cli('open', '--print')).stdout.trim()))).status).toBe(429)
})

test('an expired code is refused', async () => {
  const own = scratchInstance({ AGENTPTY_HTTP_PORT: '0', AGENTPTY_SIGN_IN_CODE_MS: '1000' })
  const person = await own.rpc({}, { isPerson: true })
  const { url, file = '' } = await person.call('openPage', { withFile: true })
  await until(async () => !existsSync(file))
  const there = new URL(url).origin
  const body = JSON.stringify({ code: codeIn(url), publicKey: (await makeKey()).publicKey })
  const { status } = await send(`${there}/sign-in`, { method: 'POST', headers: asPage(there), body })
  expect(status).toBe(403)
})
