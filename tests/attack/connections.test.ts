/** Silent or slow connections of the same user lock no client out for long. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let sockets: Socket[]
beforeEach(() => {
  instance = scratchInstance()
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
})

/** This many at a time; each sends the same and then nothing more. */
async function open(count: number, to: NetConnectOpts, said: string): Promise<void> {
  for (let i = 0; i < count; i++) {
    const socket = connect(to)
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    await once(socket, 'connect')
    if (said !== '') socket.write(said)
    // The daemon greets after a hello; before that, the connection counts as silent.
    if (said === hello) await once(socket, 'data')
    socket.resume()
  }
}

const hello = `${JSON.stringify({ agentpty: 1, face: 'rpc', client: 'many', cwd: '/', env: {} })}\n`

test.each<[string, string]>([
  ['nothing', ''],
  ['half a hello', '{"agentpty":1,"face":"rpc","cli'],
])('300 connections that send %s make room for new clients, and are closed', async (_what, said) => {
  const client = await instance.rpc()
  const { pid } = (await instance.status()).daemon
  await open(300, { path: instance.paths.daemonSocket }, said)
  const status = await instance.status()
  expect([status.daemon.pid, status.daemon.clients <= 256]).toEqual([pid, true])
  expect(await client.call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
  expect((await instance.status()).daemon.clients).toBe(2)
})

test('clients after their hello are not displaced by others, which are refused with the reason', async () => {
  const client = await instance.rpc()
  await open(255, { path: instance.paths.daemonSocket }, hello)
  const { code, stderr } = await instance.cli('ls')
  assert.notEqual(code, 0)
  expect(stderr).toContain('256 clients are connected')
  expect(await client.call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
})

test.each<[string, string]>([
  ['nothing', ''],
  ['the beginning of a request', 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
  ['a request without its body', 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{'],
  ['an answer without its body', 'POST /answer?id=x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\na'],
  ['a whole request, and stay', 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
])('650 HTTP connections that send %s make room for new clients', async (_what, said) => {
  const { http } = await instance.status()
  const { hostname: host, port } = new URL(http?.url ?? '')
  await open(650, { host, port: Number(port) }, said)
  const caller = await instance.http()
  expect(await caller.call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
})
