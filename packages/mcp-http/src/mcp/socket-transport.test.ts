import assert from 'node:assert/strict'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { beforeEach, expect, test } from 'vitest'
import { SocketTransport } from './socket-transport.ts'

let got: JSONRPCMessage[]
let sent: string[]
let receive: (line: string) => Promise<void> | undefined
let transport: SocketTransport

beforeEach(() => {
  got = []
  sent = []
  const lines = {
    start: (_first: Buffer, handlers: { readonly line: (line: string) => Promise<void> | undefined }) => {
      receive = handlers.line
    },
    send: (line: string) => void sent.push(line),
    close: () => {},
  }
  transport = new SocketTransport(lines, Buffer.alloc(0))
  transport.onmessage = (message) => void got.push(message)
  void transport.start()
})

function answerTo(line: string) {
  void receive(line)
  return JSON.parse(sent.at(-1) ?? 'null')
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
])('%s is answered, and not passed on', (_what, line, code, id) => {
  expect(answerTo(line)).toMatchObject({ id, error: { code } })
  assert.deepEqual(got, [])
})

test('requests, notifications and answers are passed on', () => {
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/initialized', params: {} },
    { jsonrpc: '2.0', id: 'x', result: {} },
    { jsonrpc: '2.0', id: 5, error: { code: 1, message: 'no' } },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: 'no answer to this, whatever it is' } },
  ]
  for (const message of messages) void receive(JSON.stringify(message))
  assert.deepEqual(sent, [])
  assert.deepEqual(got, messages)
})

test('a request ends when it is answered or cancelled', async () => {
  const over: string[] = []
  const request = (id: number) => receive(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' }))
  const both = [request(1)?.then(() => over.push('answered')), request(2)?.then(() => over.push('taken back'))]
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  await both[0]
  assert.deepEqual(over, ['answered'])
  void receive(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }))
  await both[1]
})
