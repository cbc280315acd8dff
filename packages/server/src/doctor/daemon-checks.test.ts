import { expect, test } from 'vitest'
import { answerTo, initialize, initializeId, toolsIn, versionIn } from './daemon-checks.ts'

const result = { serverInfo: { name: 'agentpty', version: '1.2.3' } }

test.each<[string, object | null, unknown]>([
  ['the answer', { jsonrpc: '2.0', id: initializeId, result }, result],
  ['a refusal', { jsonrpc: '2.0', id: initializeId, error: { code: -32_601, message: 'no' } }, 'refused'],
  ['a result that is none', { jsonrpc: '2.0', id: initializeId, result: 'hello' }, 'refused'],
  ['the question, echoed', initialize('1.2.3'), null],
  ['the answer to something else', { jsonrpc: '2.0', id: 99, result }, null],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/message' }, null],
  ['no object', null, null],
])('%s is taken for what it is', (_what, message, want) =>
  expect(answerTo(initializeId, message as Readonly<Record<string, unknown>> | null)).toEqual(want),
)

test('what a server says of itself is read with care', () => {
  expect([versionIn(result), versionIn({}), versionIn({ serverInfo: { version: 7 } })]).toEqual(['1.2.3', '', ''])
  expect([toolsIn({ tools: [{}, {}] }), toolsIn({ tools: {} }), toolsIn({})]).toEqual([2, null, null])
})
