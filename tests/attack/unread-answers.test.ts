/**
 * Clients that send requests and follow but never read: their pending data stays bounded, for each and in total, other clients continue,
 * and a client that reads again gets all of it.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { systemClock } from '@agentpty/engine/system-clock'
import { configDefaults } from '@agentpty/protocol/home'
import { LineSplitter } from '@agentpty/protocol/wire'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { program, until } from '../harness/instance.ts'
import { Victim } from './hostile.ts'

const victim = new Victim()
let full: string
let flood: string
let http: { readonly url: string; readonly token: string }
const sockets: Socket[] = []
const requests: ClientRequest[] = []

beforeAll(async () => {
  await victim.open()
  const { http: served } = await victim.instance.status()
  http = { url: `${served?.url}/mcp`, token: await victim.instance.token() }
  full = (await victim.rpc.call('create', { command: ['bash', '-c', 'seq 1000000 1600000; cat'], waitFor: 'none' }))
    .terminalId
  await victim.rpc.call('wait', { terminalIds: [full], waitFor: { text: '1600000' } })
  flood = (await victim.rpc.call('create', { command: ['yes', 'x'.repeat(60)], waitFor: 'none' })).terminalId
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const one of requests.splice(0)) one.destroy()
})
afterAll(() => victim.close())

/** The allowed additional memory: pending data for clients, and garbage until it is collected. */
const peakMbMax = 160
const forMs = 2_000

/** Covers the attack and a moment longer. */
async function suffer(attack: () => Promise<unknown>): Promise<void> {
  const before = victim.rssMb
  const over = new Promise((resolve) => systemClock.callAt(systemClock.now() + forMs, () => resolve(null)))
  // Its clients are there until the test ends: on a slow machine the commands take longer than that moment.
  const { heldUpMs, rssMb } = await victim.watch(Promise.all([over, attack()]), 4)
  expect(heldUpMs).toBeLessThan(2_000)
  expect(rssMb - before).toBeLessThan(peakMbMax)
}

/** A connection after its hello that reads nothing. */
async function deaf(face: 'rpc' | 'mcp'): Promise<Socket> {
  const socket = connect(victim.instance.paths.daemonSocket)
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  socket.pause()
  await once(socket, 'connect')
  const hello = JSON.stringify({ agentpty: 1, face, client: 'deaf', cwd: '/', env: {} })
  socket.write(`${hello}\n`)
  return socket
}

const line = (message: object) => `${JSON.stringify(message)}\n`
const many = (count: number, message: (id: number) => object) =>
  Array.from({ length: count }, (_, at) => line(message(at + 1))).join('')

const read = (id: number) => ({
  id,
  method: 'read',
  params: { terminalId: full, since: 0, raw: true, maxBytes: 1 << 20 },
})
const follow = (id: number) => ({ id, method: 'follow', params: { terminalId: flood, since: 0 } })
const frames = (id: number) => ({
  id,
  method: 'follow',
  params: { terminalId: flood, frames: { cols: 200, rows: 50 }, turn: true },
})
const tool = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'terminal_read', arguments: { terminalId: full, since: 0, raw: true, maxBytes: 1 << 20 } },
})

const initialize = line({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'deaf', version: '1' } },
})

test.each<[string, 'rpc' | 'mcp', () => string]>([
  ['follows a flood', 'rpc', () => line(follow(1))],
  ['follows a flood 64 times, as frames too', 'rpc', () => many(48, follow) + many(16, (id) => frames(id + 48))],
  ['asks for a megabyte 3,000 times', 'rpc', () => many(3_000, read)],
  ['asks its tools for a megabyte 3,000 times', 'mcp', () => initialize + many(3_000, tool)],
])('a client that %s and does not read costs neither memory nor others’ time', async (_what, face, said) => {
  await suffer(async () => {
    const socket = await deaf(face)
    socket.write(said())
    claimToRead(socket, 1)
  })
})

/** Some forty megabytes, next to a flood. */
const asked = 40

test('the data requested by a paused client is complete and in order when it reads again', async () => {
  const socket = await deaf('rpc')
  socket.write(many(asked, read))
  const lines = new LineSplitter()
  const ids: unknown[] = []
  await until(() => socket.bytesWritten > 0 && socket.writableLength === 0)
  socket.on('data', (bytes) => {
    for (const one of lines.push(bytes)) {
      const { id, result } = JSON.parse(one)
      if (id !== undefined) ids.push(result.output.length > 1_000_000 ? id : 'short')
    }
  })
  socket.resume()
  await until(() => ids.length === asked)
  expect(ids.toSorted()).toEqual(Array.from({ length: asked }, (_, at) => at + 1).toSorted())
})

/** Repeatedly acknowledges its data, which is all that a stream needs to continue. */
function claimToRead(socket: Socket, id: number): void {
  if (socket.destroyed) return
  socket.write(`{"read":${id},"count":32}\n`)
  systemClock.callAt(systemClock.now() + 1, () => claimToRead(socket, id))
}

test('a paused follower learns how many bytes it missed, and gets all others in order', async () => {
  const socket = await deaf('rpc')
  const startOffset = (await victim.rpc.call('read', { terminalId: flood, maxBytes: 256 })).cursor
  socket.write(line(follow(1)))
  claimToRead(socket, 1)
  const { logBytes } = configDefaults
  // More has arrived since than the log retains.
  const end = async () => (await victim.rpc.call('read', { terminalId: flood, since: 1e15 })).cursor
  await until(async () => (await end()) > startOffset + 2 * logBytes)
  const lines = new LineSplitter()
  let at = 0
  let missed = 0
  socket.on('data', (bytes) => {
    for (const one of lines.push(bytes)) {
      const { data } = JSON.parse(one)
      if (data === undefined) continue
      missed += data.missedBytes
      expect(data.offset).toBe(at + data.missedBytes)
      at = data.offset + Buffer.from(data.bytes, 'base64').length
    }
  })
  socket.resume()
  await until(() => missed > 0 && at > startOffset + 2 * logBytes)
  expect(missed).toBeGreaterThan(0)
})

test('sixty clients that follow and send requests without reading cost no more than one', async () => {
  await suffer(async () => {
    for (let count = 0; count < 60; count += 1) {
      const socket = await deaf('rpc')
      socket.write(line(follow(1_000)) + many(200, read))
    }
  })
})

test('twenty followers of a flood, ten of which never read, cost neither memory nor others’ time', async () => {
  await suffer(async () => {
    for (let count = 0; count < 20; count += 1) {
      const socket = await deaf('rpc')
      socket.write(line(follow(1)))
      claimToRead(socket, 1)
      if (count % 2 === 0) socket.resume()
    }
  })
})

test('a client behind agentpty mcp that does not read costs neither memory nor others’ time', async () => {
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: victim.instance.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  await suffer(async () => child.stdin.write(initialize + many(3_000, tool)))
  child.kill('SIGKILL')
  await once(child, 'exit')
})

/** Sends a request over HTTP; resolves when the answer has started. */
async function ask(body: object | null, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const { url, token } = http
  const asked = request(url, {
    method: body === null ? 'GET' : 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      accept: body === null ? 'text/event-stream' : 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })
  requests.push(asked)
  asked.end(body === null ? undefined : JSON.stringify(body))
  const [response] = await once(asked, 'response')
  response.on('error', () => undefined)
  asked.on('error', () => undefined)
  return response
}

test('50 unread answers of a megabyte over HTTP cost neither memory nor others’ time', async () => {
  await suffer(async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, id) => ask(tool(id))))
    for (const answer of answers) answer.pause()
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
  })
})

test('an unread stream of events over HTTP costs neither memory nor others’ time', async () => {
  const opened = await ask(JSON.parse(initialize))
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  opened.resume()
  const call = async (method: string, params: object) => {
    const answer = await ask({ jsonrpc: '2.0', id: 1, method, params }, headers)
    answer.resume()
    await once(answer, 'end')
  }
  // It starts with the first event.
  const stream = ask(null, headers)
  const uri = `terminal://${flood}/screen`
  await call('resources/subscribe', { uri })
  ;(await stream).pause()
  const end = systemClock.now() + forMs
  await suffer(async () => {
    // After each read the next change is notified again.
    while (systemClock.now() < end) await call('resources/read', { uri })
  })
})
