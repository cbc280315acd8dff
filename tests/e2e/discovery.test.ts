/** The files that publish the port: who writes them, which are left alone, and that they do not outlive their server. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Instance, isAlive, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let other: Server | null

beforeEach(() => {
  instance = scratchInstance({ AGENTPTY_PORT_FILE: 'true' })
  other = null
})

afterEach(async () => {
  other?.close()
})

const portFile = () => join(instance.user, '.terminal-agent-port')
const serverFile = () => join(instance.user, '.copilot-terminal-bridge/server.json')
const filePort = () => Number(readFileSync(portFile(), 'utf8'))

async function ownPort(): Promise<number> {
  return Number(new URL((await instance.status()).http?.url ?? '').port)
}

/** A server with this health report, or with none. */
async function startServer(health: object | null): Promise<number> {
  const server = createServer((_request, response) => void (health && response.end(JSON.stringify(health))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  other = server
  return (server.address() as AddressInfo).port
}

test('the port files exist while the daemon runs, for its user only', async () => {
  const { daemon, http } = await instance.status()
  assert.equal(filePort(), await ownPort())
  expect(JSON.parse(readFileSync(serverFile(), 'utf8'))).toEqual({
    port: filePort(),
    pid: daemon.pid,
    startedAt: daemon.startedAt,
    version: daemon.version,
  })
  expect(http?.discovery.map(({ kind }) => kind)).toEqual(['ours', 'ours'])
  assert.equal(statSync(portFile()).mode & 0o777, 0o600)
  await instance.cli('stop')
  await until(() => !isAlive(daemon.pid))
  assert.deepEqual([existsSync(portFile()), existsSync(dirname(serverFile()))], [false, false])
})

test.each<[string, object]>([
  ['terminal-agent', { status: 'ok', uptime: 3, terminals: 0, graphNodes: 0 }],
  ['another daemon', { status: 'ok', version: '0.1.0', uptime: 3, terminals: 0 }],
])('files of %s that is alive are left alone, and status names their owner', async (_who, health) => {
  const port = await startServer(health)
  writeFileSync(portFile(), `${port}\n`)
  const { http, daemon } = await instance.status()
  expect(http?.discovery).toMatchObject([{ kind: 'others', detail: `port ${port}` }, { kind: 'ours' }])
  expect((await instance.cli('status')).stdout).toContain(`.terminal-agent-port is another server’s: port ${port}`)
  await instance.cli('stop')
  await until(() => !isAlive(daemon.pid))
  assert.equal(readFileSync(portFile(), 'utf8'), `${port}\n`)
})

test('of two daemons in one home folder the first one keeps the files, and they end with it', async () => {
  const port = await ownPort()
  const second = scratchInstance({ HOME: instance.user, AGENTPTY_PORT_FILE: 'true' })
  expect((await second.status()).http?.discovery.map(({ kind }) => kind)).toEqual(['others', 'others'])
  assert.equal(filePort(), port)
  assert.deepEqual(await second.stop(), [])
  assert.equal(filePort(), port)
})

test('of two daemons that start together each file has one owner, though both find it stale', async () => {
  writeFileSync(portFile(), '1')
  const second = scratchInstance({ HOME: instance.user, AGENTPTY_PORT_FILE: 'true' })
  const [one, two] = await Promise.all([instance.status(), second.status()])
  const portOf = ({ http }: typeof one) => Number(new URL(http?.url ?? '').port)
  for (const [at, file] of [portFile(), serverFile()].entries()) {
    const owner = [one, two].filter(({ http }) => http?.discovery[at]?.kind === 'ours')
    assert.equal(owner.length, 1)
    const text = readFileSync(file, 'utf8')
    assert.equal(at === 0 ? Number(text) : JSON.parse(text).port, portOf(owner[0] ?? one))
  }
})

test('a file left by a kill is taken over, whatever else it contains', async () => {
  const { daemon } = await instance.status()
  const before = readFileSync(serverFile(), 'utf8')
  process.kill(daemon.pid, 'SIGKILL')
  await until(() => !isAlive(daemon.pid))
  assert.equal(readFileSync(serverFile(), 'utf8'), before)
  writeFileSync(portFile(), 'nonsense')
  assert.equal(await ownPort(), filePort())
  assert.notEqual(readFileSync(serverFile(), 'utf8'), before)
})

test('a file of an ended server is taken over, though another one has its port by now', async () => {
  const port = await startServer({ status: 'ok' })
  const { pid } = spawnSync('true')
  mkdirSync(dirname(serverFile()))
  writeFileSync(serverFile(), JSON.stringify({ port, pid }))
  expect((await instance.status()).http?.discovery).toMatchObject([{ kind: 'ours' }, { kind: 'ours' }])
})

test('a file whose port now belongs to another program is taken over', async () => {
  const port = await startServer({ hello: 'world' })
  writeFileSync(portFile(), String(port))
  assert.equal(await ownPort(), filePort())
})

test('a file that another process has overwritten is not removed', async () => {
  const { daemon } = await instance.status()
  writeFileSync(portFile(), '4')
  await instance.cli('stop')
  await until(() => !isAlive(daemon.pid))
  assert.equal(readFileSync(portFile(), 'utf8'), '4')
})

test('a failed write is reported, and harms nothing', async () => {
  mkdirSync(portFile())
  writeFileSync(join(instance.user, '.copilot-terminal-bridge'), 'in the way')
  const { http } = await instance.status()
  expect(http?.discovery.map(({ kind }) => kind)).toEqual(['failed', 'failed'])
  expect((await instance.cli('status')).stdout).toContain('.terminal-agent-port is not written: ')
  expect(readFileSync(instance.paths.log, 'utf8')).toContain('.terminal-agent-port is not written: ')
  expect(await (await instance.rpc()).call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
})

test.each<[string, Record<string, string>, number]>([
  ['its own home writes none', {}, 0],
  ['its own home and portFile: true writes them', { AGENTPTY_PORT_FILE: 'true' }, 2],
  ['the user’s home writes them', { AGENTPTY_HOME: '' }, 2],
  ['the user’s home and portFile: false writes none', { AGENTPTY_HOME: '', AGENTPTY_PORT_FILE: 'false' }, 0],
])('an instance with %s', async (_which, env, count) => {
  const asked = new Instance(env)
  const files = ['.terminal-agent-port', '.copilot-terminal-bridge/server.json'].map((file) => join(asked.user, file))
  try {
    const { http } = await asked.status()
    expect(http?.discovery).toHaveLength(count)
    expect(files.filter((file) => existsSync(file))).toHaveLength(count)
  } finally {
    await asked.cli('stop', '--all')
    expect(await asked.stop()).toEqual([])
  }
})

test('an instance with its own home writes nothing elsewhere', async () => {
  const alone = scratchInstance()
  const before = readdirSync(alone.user).toSorted()
  const client = await alone.rpc()
  await client.call('run', { command: 'true' })
  expect(readdirSync(alone.user).toSorted()).toEqual(before)
})
