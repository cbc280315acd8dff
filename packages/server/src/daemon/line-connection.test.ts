import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { unsentBytesFull, unsentBytesMax, youngCallMs, youngCallsMax } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import type { SharedBounds } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, test } from 'vitest'
import { CallGate } from './call-gate.ts'
import { LineConnection, Unsent } from './line-connection.ts'

let server: Server
let clock: FakeClock
let reports: string[]
let shared: SharedBounds
const sockets: Socket[] = []

beforeEach(async () => {
  reports = []
  clock = new FakeClock()
  shared = { unsent: new Unsent((text) => void reports.push(text)), gate: new CallGate(clock) }
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

/** Opens both ends of a connection. Our end is paused, as the daemon hands it on. */
async function open() {
  const coming = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [ours] = (await coming) as [Socket]
  client.pause()
  ours.pause()
  sockets.push(client, ours)
  return { client, ours, connection: new LineConnection(ours, shared) }
}

const nothing = { line: () => undefined, closed: () => {} }
const none = Buffer.alloc(0)
const kilobytes = (count: number) => `${'x'.repeat(count * 1_024 - 1)}\n`

async function turns(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

test('a client that does not read gets as many answers as may wait, and the others once it reads', async () => {
  const { client, ours, connection } = await open()
  const asked = 2_000
  const answer = kilobytes(64)
  let most = 0
  const line = () => {
    connection.send(answer)
    most = Math.max(most, ours.writableLength)
    return undefined
  }
  connection.start(none, { line, closed: () => {} })
  client.write('x\n'.repeat(asked))
  await turns(() => ours.writableLength > unsentBytesFull)
  let got = 0
  client.on('data', (bytes) => {
    got += bytes.length
  })
  client.resume()
  await turns(() => got === asked * answer.length)
  assert.ok(most <= unsentBytesFull + answer.length, `${most} bytes waited`)
})

/** Calls that are begun on a connection, and how to answer the oldest of them. */
async function asked(lines: string) {
  const { connection } = await open()
  const answers: (() => void)[] = []
  let begun = 0
  const line = () => {
    begun += 1
    return new Promise<void>((resolve) => void answers.push(resolve))
  }
  connection.start(Buffer.from(lines), { line, closed: () => {} })
  return { begun: () => begun, answer: () => answers.shift()?.() }
}

test('of a client that asks much as many calls are begun as may be at once, and a first call of another too', async () => {
  const many = await asked('x\n'.repeat(100))
  const few = await asked('x\nx\n')
  assert.deepEqual([many.begun(), few.begun()], [youngCallsMax, 1])
  for (let answered = 0; answered < 102; answered += 1) {
    many.answer()
    few.answer()
    await new Promise(setImmediate)
  }
  assert.deepEqual([many.begun(), few.begun()], [100, 2])
})

test('calls that wait for something do not keep others from being begun', async () => {
  const many = await asked('x\n'.repeat(100))
  for (let passed = 0; passed < 10; passed += 1) {
    clock.advance(youngCallMs)
    for (let turn = 0; turn < 40; turn += 1) await new Promise(setImmediate)
  }
  assert.equal(many.begun(), 100)
})

test('events for a client that does not read wait for space one after the other', async () => {
  const { client, ours, connection } = await open()
  connection.start(none, nothing)
  let most = 0
  const follow = async () => {
    const { signal } = new AbortController()
    for (let event = 0; event < 20; event += 1) {
      const waiting = connection.room(signal)
      if (waiting !== null) await waiting
      connection.send(kilobytes(64))
      most = Math.max(most, ours.writableLength)
    }
  }
  const following = Promise.all(Array.from({ length: 50 }, follow))
  await turns(() => ours.writableLength > unsentBytesFull)
  client.resume()
  await following
  assert.ok(most <= unsentBytesFull + 64 * 1_024, `${most} bytes waited`)
})

test('an event that is withdrawn or whose client is gone does not wait for space', async () => {
  const { connection } = await open()
  connection.start(none, nothing)
  connection.send(kilobytes(4_096))
  const taken = new AbortController()
  const kept = new AbortController()
  const waiting = [connection.room(taken.signal), connection.room(kept.signal)]
  taken.abort()
  await waiting[0]
  connection.close()
  await waiting[1]
  assert.equal(connection.room(kept.signal), null)
})

test('of many clients that do not read the one with the most waiting is disconnected, and one that reads is not', async () => {
  const small = await open()
  const large = await open()
  for (const { connection } of [small, large]) connection.start(none, nothing)
  const gone = once(large.ours, 'close')
  small.connection.send(kilobytes(4_096))
  for (let sent = 0; sent <= unsentBytesMax; sent += 8_192 * 1_024) large.connection.send(kilobytes(8_192))
  await gone
  assert.equal(small.ours.destroyed, false)
  assert.deepEqual(reports.length, 1)
})
