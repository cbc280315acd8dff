import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { TermError } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { LineSplitter } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { McpProxy } from './mcp-proxy.ts'

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly result?: Record<string, unknown>
  readonly error?: Record<string, unknown>
}

/** A stream's messages, one at a time. */
class Inbox {
  readonly #messages: Message[] = []
  readonly #lines = new LineSplitter()
  #wake: () => void = () => {}

  constructor(stream: NodeJS.ReadableStream) {
    stream.on('data', (bytes: Buffer) => {
      this.#messages.push(...this.#lines.push(bytes).map((line) => JSON.parse(line)))
      this.#wake()
    })
  }

  async next(): Promise<Message> {
    while (this.#messages.length === 0) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    return this.#messages.shift() ?? {}
  }
}

/** A fake daemon: its connections in the order in which they arrive. */
let daemon: Server
let connections: Socket[]
let input: PassThrough
let output: PassThrough
let client: Inbox
let clock: FakeClock

beforeEach(async () => {
  connections = []
  daemon = createServer((socket) => {
    connections.push(socket)
    daemon.emit('connected')
  })
  daemon.listen(0, '127.0.0.1')
  await once(daemon, 'listening')
  input = new PassThrough()
  output = new PassThrough()
  client = new Inbox(output)
  clock = new FakeClock()
})
afterEach(() => {
  for (const socket of connections) socket.destroy()
  daemon.close()
})

function connectToDaemon(): Promise<Socket> {
  const socket = connect((daemon.address() as AddressInfo).port, '127.0.0.1')
  return once(socket, 'connect').then(() => socket)
}

function start(connectTo: () => Promise<Socket> = connectToDaemon): Promise<void> {
  return new McpProxy({ input, output, connect: connectTo, clock }).run()
}

async function connection(index: number): Promise<Socket> {
  while (connections[index] === undefined) await once(daemon, 'connected')
  const socket = connections[index]
  assert.ok(socket)
  return socket
}

function say(stream: NodeJS.WritableStream, ...messages: readonly Message[]): void {
  stream.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
}

/** The daemon ends, and the proxy has noticed: calls in flight have failed. */
async function lose(socket: Socket, inbox: Inbox): Promise<void> {
  say(input, { id: 'in flight', method: 'tools/call' })
  assert.equal((await inbox.next()).id, 'in flight')
  socket.destroy()
  assert.equal((await client.next()).id, 'in flight')
}

test('messages pass unchanged and in order in both directions', async () => {
  void start()
  say(input, { id: 1, method: 'a' }, { id: 2, method: 'b' })
  say(input, { method: 'note' })
  const socket = await connection(0)
  const inbox = new Inbox(socket)
  const got = [await inbox.next(), await inbox.next(), await inbox.next()]
  assert.deepEqual(
    got.map(({ method }) => method),
    ['a', 'b', 'note'],
  )
  say(socket, { id: 2, result: { two: true } }, { method: 'progress' }, { id: 1, result: { one: true } })
  const answers = [await client.next(), await client.next(), await client.next()]
  assert.deepEqual(answers, [
    { id: 2, result: { two: true } },
    { method: 'progress' },
    { id: 1, result: { one: true } },
  ])
})

test('messages that arrive while the daemon is being reached keep their order', async () => {
  let reach: () => void = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  void start(() => reached.then(connectToDaemon))
  for (let id = 1; id <= 20; id++) say(input, { id, method: 'tools/call' })
  reach()
  const inbox = new Inbox(await connection(0))
  for (let id = 1; id <= 20; id++) assert.equal((await inbox.next()).id, id)
})

test('calls in flight when the daemon is lost become results that say to call again', async () => {
  void start()
  say(input, { id: 'call', method: 'tools/call' }, { id: 7, method: 'tools/list' }, { id: 8, method: 'tools/call' })
  const socket = await connection(0)
  const inbox = new Inbox(socket)
  for (let count = 0; count < 3; count++) await inbox.next()
  say(socket, { id: 8, result: {} })
  assert.equal((await client.next()).id, 8)
  socket.destroy()
  const call = await client.next()
  const list = await client.next()
  expect(call).toMatchObject({
    id: 'call',
    result: { isError: true, structuredContent: { code: 'daemon_gone', hint: expect.stringContaining('again') } },
  })
  expect(call.result?.['content']).toEqual([{ type: 'text', text: expect.stringContaining('daemon_gone') }])
  expect(list).toMatchObject({ id: 7, error: { code: -32_603 } })
})

test('the next message goes to the next daemon, which first receives the opening of an old-era client', async () => {
  void start()
  say(input, { id: 0, method: 'initialize' })
  const first = await connection(0)
  const before = new Inbox(first)
  await before.next()
  say(first, { id: 0, result: {} })
  await client.next()
  say(input, { method: 'notifications/initialized' })
  await before.next()
  await lose(first, before)
  say(input, { id: 1, method: 'tools/call' })
  const second = await connection(1)
  const inbox = new Inbox(second)
  const replayed = await inbox.next()
  assert.equal(replayed.method, 'initialize')
  assert.notEqual(replayed.id, 0)
  assert.equal((await inbox.next()).method, 'notifications/initialized')
  say(second, { id: replayed.id ?? '', result: { replayed: true } })
  expect(await inbox.next()).toMatchObject({ id: 1, method: 'tools/call' })
  // The client has got its answer to the opening; the second answer is not for it.
  say(second, { id: 1, result: { answered: true } })
  assert.deepEqual(await client.next(), { id: 1, result: { answered: true } })
})

test('nothing is replayed for a client of the new era, which sends no initialize', async () => {
  void start()
  say(input, { id: 1, method: 'server/discover' })
  const first = await connection(0)
  const before = new Inbox(first)
  await before.next()
  say(first, { id: 1, result: {} })
  await client.next()
  await lose(first, before)
  say(input, { id: 2, method: 'tools/call' })
  expect(await new Inbox(await connection(1)).next()).toMatchObject({ id: 2 })
})

test('a daemon that cannot be reached is an error for each call, and is tried again for the next', async () => {
  let isBroken = true
  void start(() => {
    if (isBroken) return Promise.reject(new TermError('daemon_gone', 'It does not start.', 'Run: agentpty doctor'))
    return connectToDaemon()
  })
  say(input, { id: 1, method: 'tools/call' })
  expect(await client.next()).toMatchObject({
    id: 1,
    result: { isError: true, structuredContent: { code: 'daemon_gone', hint: 'Run: agentpty doctor' } },
  })
  isBroken = false
  say(input, { id: 2, method: 'tools/call' })
  expect(await new Inbox(await connection(0)).next()).toMatchObject({ id: 2 })
})

test('the proxy ends when its client closes its end, and closes the connection to the daemon', async () => {
  const running = start()
  const socket = await connection(0)
  socket.resume()
  const closed = once(socket, 'close')
  input.end()
  await running
  await closed
})

test('requests sent before the client closed its end are answered first', async () => {
  const running = start()
  say(input, { id: 1, method: 'initialize' }, { id: 2, method: 'tools/list' })
  input.end()
  const socket = await connection(0)
  const inbox = new Inbox(socket)
  await inbox.next()
  await inbox.next()
  say(socket, { id: 1, result: {} }, { id: 2, result: {} })
  await running
  assert.deepEqual([(await client.next()).id, (await client.next()).id, clock.pending], [1, 2, 0])
})

test('long calls are not waited for when the client has closed its end', async () => {
  const running = start()
  say(input, { id: 1, method: 'subscriptions/listen' })
  const socket = await connection(0)
  await new Inbox(socket).next()
  const ended = once(input, 'end')
  input.end()
  await ended
  clock.advance(2_000)
  await running
  await once(socket, 'close')
})

test('data that a daemon does not accept is not read from the client either, and all of it arrives', async () => {
  void start()
  const socket = await connection(0)
  socket.pause()
  const text = 'x'.repeat(100_000)
  let asked = 0
  while (!input.isPaused()) {
    say(input, { id: ++asked, method: 'tools/call', text } as Message)
    await new Promise(setImmediate)
  }
  say(input, { id: ++asked, method: 'tools/call' })
  const inbox = new Inbox(socket)
  socket.resume()
  for (let id = 1; id <= asked; id++) assert.equal((await inbox.next()).id, id)
})

test('data that the client does not accept is not read from the daemon either, and all of it arrives', async () => {
  output = new PassThrough()
  void start()
  const socket = await connection(0)
  const text = 'x'.repeat(100_000)
  let sent = 0
  while (!socket.writableNeedDrain) {
    say(socket, { method: `note ${sent++}`, text } as Message)
    await new Promise(setImmediate)
  }
  assert.ok(output.writableLength < 1_000_000, `${output.writableLength} bytes wait`)
  client = new Inbox(output)
  for (let note = 0; note < sent; note++) assert.equal((await client.next()).method, `note ${note}`)
})
