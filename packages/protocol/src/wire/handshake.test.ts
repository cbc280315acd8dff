import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type ClientHello, type DaemonHello, parseClientHello, parseDaemonHello, writeHello } from './handshake.ts'

const client: ClientHello = { face: 'rpc', client: 'me', cwd: '/', env: { PATH: '/bin' } }
const holder = {
  machine: { id: 'm', hostname: 'h' },
  boot: 'b',
  pidNamespace: 'pid:[1]',
  pid: 7,
  processStart: '9',
}
const owner = { process: holder, userId: 1, stateFolder: '/s', socket: '/s/run/daemon.sock' }
const daemon: DaemonHello = { version: '1.0.0', build: '1.0.0+abc', pid: 7, owner }

test('a hello is one line and comes back as it was', () => {
  assert.equal(writeHello(client).indexOf('\n'), writeHello(client).length - 1)
  assert.deepEqual(parseClientHello(writeHello(client)), client)
  assert.deepEqual(parseDaemonHello(writeHello(daemon)), daemon)
})

test('the hello of a daemon of an older build has no owner', () => {
  assert.deepEqual(parseDaemonHello('{"agentpty":1,"version":"1","build":"b","pid":7}')?.owner, null)
  const torn = { ...daemon, agentpty: 1, owner: { ...owner, process: { pid: 7 } } }
  assert.deepEqual(parseDaemonHello(JSON.stringify(torn))?.owner, null)
})

test('a newline in the environment does not break the line', () => {
  const hello = { ...client, env: { PS1: 'a\nb' } }
  assert.deepEqual(parseClientHello(writeHello(hello).trimEnd()), hello)
})

test.each([
  ['no JSON', 'hello'],
  ['another program’s', '{"jsonrpc":"2.0"}'],
  ['another version’s', JSON.stringify({ ...client, agentpty: 2 })],
  ['without a face', JSON.stringify({ agentpty: 1, client: 'me', cwd: '/', env: {} })],
  ['with an unknown face', JSON.stringify({ ...client, agentpty: 1, face: 'web' })],
  ['without an environment', JSON.stringify({ agentpty: 1, face: 'rpc', client: 'me', cwd: '/' })],
  ['with a list for an environment', JSON.stringify({ ...client, agentpty: 1, env: [] })],
])('%s is no client’s hello', (_what, line) => {
  assert.equal(parseClientHello(line), null)
})

test.each([
  ['a client’s', writeHello(client)],
  ['without a pid', JSON.stringify({ agentpty: 1, version: '1', build: '1' })],
  ['an error', '{"error":{"code":"limit_reached"}}'],
])('%s is no daemon’s hello', (_what, line) => {
  assert.equal(parseDaemonHello(line), null)
})

test('values of an environment that are no strings are left out', () => {
  const line = JSON.stringify({ ...client, agentpty: 1, env: { A: 'a', B: 1, C: null } })
  assert.deepEqual(parseClientHello(line)?.env, { A: 'a' })
})
