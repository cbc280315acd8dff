import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SocketTransport } from './socket-transport.ts'

let server: Server
let client: Socket
let got: JSONRPCMessage[]

beforeEach(async () => {
  got = []
  server = createServer((socket) => {
    const transport = new SocketTransport(socket, Buffer.alloc(0))
    transport.onmessage = (message) => void got.push(message)
    void transport.start()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
})
afterEach(() => {
  client.destroy()
  server.close()
})

async function answerTo(line: string) {
  client.write(`${line}\n`)
  const [answer] = await once(createInterface({ input: client }), 'line')
  return JSON.parse(String(answer))
}

test.each<[string, string, number, unknown]>([
  ['no JSON', 'hello', -32_700, null],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32_700, null],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32_600, 1],
  ['no method', '{"jsonrpc":"2.0","id":"a"}', -32_600, 'a'],
  ['a method that is none', '{"jsonrpc":"2.0","id":2,"method":7}', -32_600, 2],
  ['a list of parameters', '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[1]}', -32_600, 3],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32_600, null],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', -32_600, null],
])('%s is answered, and not passed on', async (_what, line, code, id) => {
  expect(await answerTo(line)).toMatchObject({ id, error: { code } })
  assert.deepEqual(got, [])
})

test('requests, notifications and answers are passed on', async () => {
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/initialized', params: {} },
    { jsonrpc: '2.0', id: 'x', result: {} },
    { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: 'no answer to this, whatever it is' } },
  ]
  for (const message of messages) client.write(`${JSON.stringify(message)}\n`)
  await answerTo('the end')
  assert.deepEqual(got, messages)
})
