/** MCP over HTTP: access, both eras at one path, and the ends of sessions. */

import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Sent, send as sendRequest } from '../harness/http.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
/** A POST, unless the request differs. */
const send = (url: string, request: Sent) => sendRequest(url, { method: 'POST', ...request })
let base: string
let token: string

beforeAll(async () => {
  base = (await instance.status()).http?.url ?? ''
  token = await instance.token()
})

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const known = () => ({ ...json, authorization: `Bearer ${token}` })
const message = (method: string, params: object = {}, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params })
const initialize = message('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** The only message of an answer, which may be a stream. */
function messageOf({ body }: Answer) {
  const line = body.split('\n').find((one) => one.startsWith('data: {'))
  return JSON.parse(line === undefined ? body : line.slice('data: '.length))
}

describe('access', () => {
  const ownPort = () => new URL(base).port

  test.each<[string, () => Record<string, string>, number]>([
    ['a foreign Host', () => ({ host: 'evil.example' }), 403],
    ['a foreign Host with our port', () => ({ host: `evil.example:${ownPort()}` }), 403],
    ['a Host that hides another one', () => ({ host: `127.0.0.1@evil.example:${ownPort()}` }), 403],
    ['a foreign Origin', () => ({ origin: 'https://evil.example' }), 403],
    ['an Origin with ours as a prefix', () => ({ origin: 'http://localhost.evil.example' }), 403],
    ['the Origin of a file or a sandbox', () => ({ origin: 'null' }), 403],
    ['no token', () => ({ authorization: '' }), 401],
    ['a wrong token', () => ({ authorization: 'Bearer wrong' }), 401],
    ['the token in another scheme', () => ({ authorization: `Basic ${token}` }), 401],
    ['the token', () => ({}), 200],
    ['the token and an Origin of this machine', () => ({ origin: 'http://localhost:3000' }), 200],
    ['the token and Host localhost', () => ({ host: `localhost:${ownPort()}` }), 200],
  ])('%s gets the right status', async (_who, headers, status) => {
    const answer = await send(`${base}/mcp`, { headers: { ...known(), ...headers() }, body: initialize })
    assert.equal(answer.status, status, answer.body)
    if (status !== 200) expect(JSON.parse(answer.body)).toMatchObject({ error: { hint: expect.any(String) } })
  })

  test('the token is a file that only its user can read', () => {
    assert.equal(statSync(instance.paths.token).mode & 0o777, 0o600)
    assert.equal(readFileSync(instance.paths.token, 'utf8').trim(), token)
  })

  test('a request without a token is answered with what to add to a client’s file', async () => {
    const { body } = await send(`${base}/mcp`, { headers: json, body: initialize })
    expect(JSON.parse(body).error).toMatchObject({
      code: 'unauthorized',
      hint: expect.stringMatching(/agentpty token.*"headers": \{"Authorization": "Bearer TOKEN"\}.*init --http/),
    })
  })

  test('the preflight request of a page is refused, with or without a token', async () => {
    const asked = await send(`${base}/mcp`, { method: 'OPTIONS', headers: { origin: 'http://localhost:3000' } })
    expect([asked.status, asked.body, asked.headers['access-control-allow-origin']]).toEqual([204, '', undefined])
    const foreign = { origin: 'https://evil.example' }
    expect(await send(`${base}/mcp`, { method: 'OPTIONS', headers: foreign })).toMatchObject({ status: 403 })
    expect(await send(`${base}/elsewhere`, { method: 'OPTIONS' })).toMatchObject({ status: 404 })
  })

  test('health is answered without a token, and nothing else', async () => {
    const { body } = await send(`${base}/health`, { method: 'GET' })
    expect(JSON.parse(body)).toEqual({
      status: 'ok',
      version: expect.any(String),
      uptime: expect.any(Number),
      terminals: 0,
    })
    expect(await send(`${base}/elsewhere`, { method: 'GET', headers: known() })).toMatchObject({ status: 404 })
  })
})

describe('clients of 2025', () => {
  test('have a session until they end it', async () => {
    const opened = await send(`${base}/mcp`, { headers: known(), body: initialize })
    const headers = { ...known(), 'mcp-session-id': String(opened.headers['mcp-session-id']) }
    await send(`${base}/mcp`, {
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    })
    const listed = messageOf(await send(`${base}/mcp`, { headers, body: message('tools/list') }))
    expect(listed.result.tools.length).toBeGreaterThan(5)
    assert.equal((await send(`${base}/mcp`, { method: 'DELETE', headers })).status, 200)
    const ended = await send(`${base}/mcp`, { headers, body: message('tools/list') })
    assert.equal(ended.status, 404)
    expect(messageOf(ended).error.message).toContain('initialize')
  })

  test('may call without a session, as with older servers', async () => {
    const call = message('tools/call', { name: 'terminal_run', arguments: { command: 'echo $((6*7))' } })
    expect(
      messageOf(await send(`${base}/mcp`, { headers: known(), body: call })).result.structuredContent,
    ).toMatchObject({
      output: '42',
      exitCode: 0,
    })
    expect(await send(`${base}/mcp`, { method: 'GET', headers: known() })).toMatchObject({ status: 405 })
  })

  test('are served by the usual client, with terminals shared with all other clients', async () => {
    const old = await instance.http('old')
    const { terminalId } = await old.call('create', { name: 'shared' })
    const { terminals } = await (await instance.rpc()).call('list', {})
    expect(terminals.map(({ name }) => name)).toContain('shared')
    await old.call('close', { terminalId })
  })
})

describe('invalid requests', () => {
  const call = (body: string, headers = {}) => send(`${base}/mcp`, { headers: { ...known(), ...headers }, body })

  test.each<[string, () => Promise<Answer>, number]>([
    ['invalid JSON', () => call('{"jsonrpc":'), 400],
    ['another type of content', () => call(initialize, { 'content-type': 'text/plain' }), 415],
    ['an unknown session', () => call(message('tools/list'), { 'mcp-session-id': 'x' }), 404],
    ['an unknown toolset', () => send(`${base}/mcp?toolset=x`, { headers: known(), body: initialize }), 400],
    ['a body without end', () => call(`"${'x'.repeat(33 * 1024 * 1024)}"`), 413],
  ])('%s is refused with its reason', async (_what, ask, status) => {
    const { status: got, body } = await ask()
    assert.equal(got, status, body.slice(0, 200))
    assert.ok(body.length > 10)
  })

  test('two thousand simultaneous calls are answered, each with its result or with an error', async () => {
    const { terminalId } = await (await instance.rpc()).call('create', {})
    const read = (id: number) =>
      call(message('tools/call', { name: 'terminal_read', arguments: { terminalId } }, id)).catch((error: unknown) =>
        String(error),
      )
    const answers = await Promise.all(Array.from({ length: 2_000 }, (_, id) => read(id)))
    const kinds = new Set(answers.map((one) => (typeof one === 'string' ? one : one.status)))
    for (const kind of kinds)
      assert.ok(kind === 200 || kind === 503 || /ECONN|EPIPE|socket hang up/.test(String(kind)), String(kind))
    expect(await (await instance.rpc()).call('send', { terminalId, text: 'echo still here' })).toMatchObject({
      output: 'still here\n$',
    })
  })
})

test('an unlisted tool is an error of the protocol that names the listed ones', async () => {
  const unknown = message('tools/call', { name: 'terminal_fly', arguments: {} })
  const { error } = messageOf(await send(`${base}/mcp`, { headers: known(), body: unknown }))
  expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('terminal_send') })
})

test('the tools of a door are available over HTTP, too', async () => {
  const door = (await instance.http('old', '?toolset=tty-use')).protocol
  const { structuredContent } = await door.callTool({ name: 'tty_use', arguments: { input: 'echo over http' } })
  expect(structuredContent).toMatchObject({ output: expect.stringContaining('over http') })
})

test('a second daemon takes another port and leaves the first one alone', async () => {
  const other = scratchInstance({ AGENTPTY_HTTP_PORT: new URL(base).port })
  const { http } = await other.status()
  assert.notEqual(http?.url, base)
  assert.equal((await send(`${base}/health`, { method: 'GET' })).status, 200)
})

test('without a port there is no HTTP', async () => {
  const other = scratchInstance()
  writeFileSync(`${other.home}/config.yaml`, 'httpPort: null\n')
  assert.equal((await other.status()).http, null)
})
