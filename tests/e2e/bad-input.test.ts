/**
 * Any client input gets an error that names the problem, and the open terminals continue without loss.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LinesClient, serverOf } from '../harness/lines-client.ts'
import { type Message, opening } from '../harness/mcp-messages.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let stdio: LinesClient
let url: URL
let headers: Readonly<Record<string, string>>
let terminalId: string
let lines = 0

beforeAll(async () => {
  stdio = new LinesClient(serverOf(instance))
  await stdio.open()
  terminalId = (await (await instance.rpc()).call('create', { shell: '/bin/bash' })).terminalId
  url = new URL(`${(await instance.status()).http?.url}/mcp`)
  const plain = {
    authorization: `Bearer ${await instance.token()}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const opened = await fetch(url, {
    method: 'POST',
    headers: plain,
    body: request('initialize', opening('2025-11-25')),
  })
  await opened.text()
  headers = { ...plain, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
})

afterEach(async () => {
  const rpc = await instance.rpc()
  expect(await rpc.call('send', { terminalId, text: `echo line $((${++lines}))` })).toMatchObject({
    output: `line ${lines}\n$`,
  })
  const { output } = await rpc.call('read', { terminalId, since: 0, find: '^line ', maxBytes: 100_000 })
  expect(output.split('\n').filter((line) => /\bline \d+$/.test(line))).toHaveLength(lines)
})

afterAll(async () => {
  await stdio.close()
})

async function overHttp(body: string | Buffer): Promise<Message> {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : Uint8Array.from(body),
  })
  const text = await answer.text()
  const line = text.split('\n').find((one) => one.startsWith('data: {'))
  return JSON.parse(line === undefined ? text : line.slice('data: '.length))
}

const request = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: unknown, args?: unknown) => request('tools/call', { name, arguments: args })
/** A value that JSON cannot express, inserted at the placeholder. */
const put = (json: string, word: string) => json.replace('"HERE"', word)

const error = (code: number, message: RegExp) => ({ error: { code, message: expect.stringMatching(message) } })
const refusal = (code: string, message: RegExp) => ({
  result: {
    isError: true,
    structuredContent: { code, message: expect.stringMatching(message), hint: expect.any(String) },
  },
})

const noMessage = error(-32_600, /not a valid JSON-RPC message/)
const invalid = (message: RegExp) => refusal('invalid_input', message)
const deep = '['.repeat(10_000) + ']'.repeat(10_000)
const long = 'x'.repeat(1 << 20)

/** The last column is the result over HTTP, if it differs. */
type Row = readonly [what: string, message: () => string | Buffer, want: object, overHttp?: object]

const rows: readonly Row[] = [
  ['an unknown method', () => request('terminals/fly'), error(-32_601, /not found/)],
  ['an unknown tool', () => call('terminal_fly', {}), error(-32_602, /No tool "terminal_fly".*terminal_send/)],
  ['a tool without its name', () => request('tools/call', {}), error(-32_602, /name/)],
  ['a name that is not text', () => call(7, {}), error(-32_602, /name/)],
  ['arguments in a list', () => call('terminal_list', [1]), error(-32_602, /arguments/)],
  ['missing fields', () => call('terminal_send', {}), invalid(/terminalId.*text/)],
  ['wrong types', () => call('terminal_send', { terminalId: 7, text: ['a'] }), invalid(/terminalId.*text/)],
  ['a field too many', () => call('terminal_read', { terminalId, sinc: 0 }), invalid(/sinc/)],
  ['a number as text', () => call('terminal_read', { terminalId, since: 'NaN' }), invalid(/since/)],
  [
    'a number out of bounds',
    () => put(call('terminal_read', { terminalId, since: 'HERE' }), '1e308'),
    invalid(/since/),
  ],
  [
    'a number that is infinite',
    () => put(call('terminal_read', { terminalId, since: 'HERE' }), '1e999'),
    invalid(/since/),
  ],
  ['a negative number', () => call('terminal_read', { terminalId, since: -1 }), invalid(/since/)],
  ['part of a byte', () => call('terminal_read', { terminalId, since: 0.5 }), invalid(/since/)],
  ['NaN', () => put(call('terminal_read', { terminalId, since: 'HERE' }), 'NaN'), error(-32_700, /./)],
  [
    'an unknown terminal',
    () => call('terminal_read', { terminalId: 'term-77' }),
    refusal('session_not_found', /term-77/),
  ],
  ['a name of a mebibyte', () => call('terminal_read', { terminalId: long }), invalid(/terminalId.*100/)],
  ['a pattern of a mebibyte', () => call('terminal_read', { terminalId, find: long }), invalid(/find.*1000/)],
  [
    'a text that is more than one call may type',
    () => call('terminal_send', { terminalId, text: long.repeat(9) }),
    invalid(/text.*8388608/),
  ],
  ['an invalid pattern', () => call('terminal_read', { terminalId, find: '(' }), invalid(/\(/)],
  ['nesting of ten thousand', () => put(call('terminal_create', { env: 'HERE' }), deep), invalid(/env/)],
  ['a constructor', () => call('terminal_read', { terminalId, constructor: {} }), invalid(/constructor/)],
  [
    'no UTF-8',
    () => Buffer.from(call('terminal_read', { terminalId: '\xff\xfe' }), 'latin1'),
    refusal('session_not_found', /\ufffd/),
  ],
  ['no JSON', () => 'hello', error(-32_700, /JSON|Parse/)],
  ['a number alone', () => '5', error(-32_700, /JSON|Parse/), noMessage],
  ['an empty batch', () => '[]', error(-32_700, /one JSON object/), error(-32_600, /./)],
  ['no method', () => '{"jsonrpc":"2.0","id":1}', error(-32_600, /method/), noMessage],
  ['parameters in a list', () => request('tools/call', [1]), error(-32_600, /params/), noMessage],
  ['another version', () => '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', error(-32_600, /2\.0/), noMessage],
  ['an id that is null', () => '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', error(-32_600, /id/)],
]

const everyRow = rows.map(([what, message, stdio, HTTP = stdio]) => ({ what, message, stdio, HTTP }))

test.each(everyRow)('$what is answered over stdio with the problem', async ({ message, stdio: want }) => {
  stdio.write(message())
  expect(await stdio.next()).toMatchObject(want)
})

test.each(everyRow)('$what is answered over HTTP with the problem', async ({ message, HTTP: want }) => {
  expect(await overHttp(message())).toMatchObject(want)
})

describe('incomplete, duplicate or misplaced messages', () => {
  const list = (id: number) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'terminal_list' } })
  const cancelled = (requestId: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

  test('a batch is refused over stdio, and served over HTTP for its clients', async () => {
    const batch = `[${list(1)},${list(2)}]`
    stdio.write(batch)
    expect(await stdio.next()).toMatchObject(error(-32_700, /one JSON object per line/))
    const answer = await fetch(url, { method: 'POST', headers, body: batch })
    const text = await answer.text()
    const ids = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)).id] : []))
    assert.deepEqual(ids.toSorted(), [1, 2])
  })

  test('one id for two requests gets two answers', async () => {
    stdio.write(`${list(7)}\n${list(7)}`)
    const answers = [await stdio.next(), await stdio.next()]
    expect(answers).toMatchObject([
      { id: 7, result: {} },
      { id: 7, result: {} },
    ])
  })

  test('cancelling an answered or unknown call changes nothing', async () => {
    stdio.write(list(8))
    assert.equal((await stdio.next()).id, 8)
    for (const requestId of [8, 99, 'x', null, {}]) stdio.write(cancelled(requestId))
    stdio.write(list(9))
    let answer = await stdio.next()
    // A malformed notification may be answered by an error, which has no id.
    while (answer.id !== 9) answer = await stdio.next()
    expect(answer).toMatchObject({ result: { structuredContent: { terminals: expect.any(Array) } } })
    for (const requestId of [8, 99])
      assert.equal((await fetch(url, { method: 'POST', headers, body: cancelled(requestId) })).status, 202)
  })

  test('a client that sends a discovery call before initialize may still initialize', async () => {
    const client = new LinesClient(serverOf(instance))
    client.write('{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}')
    expect(await client.next()).toMatchObject({ id: 1, error: { code: -32_601 } })
    await client.open()
    client.write(list(2))
    expect(await client.next()).toMatchObject({ id: 2, result: {} })
    assert.equal(await client.close(), 0)
  })

  test('two thousand simultaneous calls over stdio are all answered', async () => {
    for (let id = 0; id < 2_000; id++) stdio.write(list(id))
    const answered = new Set<unknown>()
    while (answered.size < 2_000) answered.add((await stdio.next()).id)
    assert.equal(answered.size, 2_000)
  })

  test('a line cut off by the end of its sender is dropped', async () => {
    const client = new LinesClient(serverOf(instance))
    await client.open()
    client.process.stdin?.write(call('terminal_send', { terminalId, text: 'echo never' }).slice(0, -5))
    assert.equal(await client.close(), 0)
  })

  test('a body shorter than announced is dropped', async () => {
    const socket = connect(Number(url.port), url.hostname)
    const head = Object.entries({ host: url.host, ...headers, 'content-length': '5000' })
    const text = head.map(([name, value]) => `${name}: ${value}`).join('\r\n')
    socket.end(`POST /mcp HTTP/1.1\r\n${text}\r\n\r\n${call('terminal_send', { terminalId, text: 'echo never' })}`)
    socket.resume()
    await once(socket, 'close')
  })
})

describe('an end', () => {
  test.each<[string, (client: LinesClient) => void]>([
    ['SIGINT', ({ process }) => process.kill('SIGINT')],
    ['SIGTERM', ({ process }) => process.kill('SIGTERM')],
    ['a closed input', ({ process }) => process.stdin?.end()],
    [
      'a closed output, once there is something to write',
      (client) => {
        client.process.stdout?.destroy()
        client.write(call('terminal_list'))
      },
    ],
  ])('by %s is an end with code 0, even during a call', async (_how, end) => {
    const client = new LinesClient(serverOf(instance))
    await client.open()
    client.write(call('terminal_list'))
    await client.next()
    client.write(call('terminal_read', { terminalId, waitFor: 'exit', waitTimeoutMs: 50_000 }))
    end(client)
    assert.equal(await client.ended, 0)
  })
})

test.each<[string, string]>([
  ['nowhere..x', '--network: "nowhere..x": a dot too many; write nowhere.x'],
  ['a.example,,b.example', '--network: "": an empty item; separate hosts by one comma'],
  ['', '--network: "": an empty item'],
  ['on,a.example', '--network: "on": on stands alone'],
  ['::1', '--network: "::1": an address of IPv6 stands in brackets; write [::1]'],
])('a sandbox for the hosts %j is refused on the command line, with the correct form', async (hosts, message) => {
  const { code, stderr } = await instance.cli('new', '--network', hosts)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`agentpty new: ${message}`)])
  expect(stderr).toContain('agentpty new --help')
})
