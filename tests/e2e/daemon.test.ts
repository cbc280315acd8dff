/** One daemon per home, however it is started; it can be replaced and stopped, and survives invalid clients. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, isAlive, program, run, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let folder: string
beforeEach(() => {
  instance = scratchInstance()
  folder = scratchFolder()
})
/** Starts a daemon directly; resolves when it listens or has ended. */
function startDaemon(): Promise<'ready' | 'left'> {
  return new Promise((settle) => {
    const daemon = spawn(process.execPath, [program, 'daemon'], {
      env: { ...instance.env },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    daemon.stdout.once('data', () => settle('ready'))
    daemon.once('exit', () => settle('left'))
    daemon.unref()
  })
}

test('one of several daemons started at the same time stays and serves all clients', async () => {
  const started = await Promise.all([startDaemon(), startDaemon(), startDaemon()])
  expect(started.toSorted()).toEqual(['left', 'left', 'ready'])
  const one = await instance.rpc()
  const two = await instance.mcp()
  const { terminalId } = await one.call('create', { command: ['cat'] })
  expect((await two.call('list', {})).terminals).toMatchObject([{ terminalId }])
  const daemons = instance
    .processes()
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0daemon'))
  expect(daemons).toEqual([(await instance.status()).daemon.pid])
})

test('clients that start at the same time find one daemon', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => instance.mcp()))
  const made = await Promise.all(clients.map((client) => client.call('create', { command: ['cat'] })))
  expect(new Set(made.map(({ terminalId }) => terminalId)).size).toBe(4)
  expect((await clients[0]?.call('list', {}))?.terminals).toHaveLength(4)
})

test('an id is never reused, not even after everything was stopped', async () => {
  const ids: string[] = []
  for (let round = 0; round < 3; round++) {
    const client = await instance.rpc()
    ids.push((await client.call('create', { command: ['cat'] })).terminalId)
    if (round === 0) await client.call('close', { all: true })
    else await instance.cli('stop', '--all')
  }
  expect(new Set(ids).size).toBe(3)
})

test('stop keeps the terminals, stop --all leaves no process', async () => {
  const first = await instance.rpc()
  const command = 'trap "" HUP TERM; setsid sleep 1000 & sleep 1000 & echo up; wait'
  const { terminalId, pid } = await first.call('create', { command: ['bash', '-c', command], waitFor: { text: 'up' } })
  const { daemon } = await instance.status()
  expect((await instance.cli('stop')).stdout).toContain('terminals go on')
  await until(() => !isAlive(daemon.pid))
  expect([isAlive(daemon.pid), isAlive(pid)]).toEqual([false, true])
  const second = await instance.rpc()
  expect((await second.call('list', {})).terminals).toMatchObject([{ terminalId, pid, isActive: true }])
  expect((await instance.cli('stop', '--all')).code).toBe(0)
  await until(() => instance.processes().length === 0)
  expect(instance.processes()).toEqual([])
})

test('status starts no daemon without --start, and reports that none runs', async () => {
  const idle = scratchInstance()
  expect(await idle.cli('status')).toMatchObject({ code: 3, stdout: expect.stringMatching(/^No daemon runs\./) })
  expect(await idle.cli('status', '--json')).toMatchObject({ code: 3, stdout: '{"daemon":null}\n' })
  expect(idle.processes()).toEqual([])
  expect((await idle.cli('status', '--start')).stdout).toMatch(/^daemon +running/)
})

test('stop --all without a daemon ends the terminals that one left', async () => {
  const client = await instance.rpc()
  const { pid } = await client.call('create', { command: ['sleep', '1000'], waitFor: 'none' })
  await instance.cli('stop')
  await instance.cli('stop', '--all')
  await until(() => !isAlive(pid))
  expect(isAlive(pid)).toBe(false)
})

test('a daemon of another build is replaced, and the terminals survive', async () => {
  const old = await instance.mcp()
  const { terminalId, pid } = await old.call('create', { shell: 'bash' })
  await old.call('send', { terminalId, text: 'answer=42' })
  const before = await instance.status()
  const entry = otherBuild(before.daemon.build)
  const upgraded = await instance.mcp('new', entry)
  expect(await upgraded.call('run', { terminalId, command: 'echo $answer' })).toMatchObject({ output: '42' })
  expect((await upgraded.call('list', {})).terminals).toMatchObject([{ terminalId, pid }])
  const { stdout } = await run(process.execPath, [entry, 'status', '--start', '--json'], instance.env)
  const after = JSON.parse(stdout)
  expect(after.daemon.pid).not.toBe(before.daemon.pid)
  expect(after.daemon.build).not.toBe(before.daemon.build)
  expect(after.host.pid).toBe(before.host.pid)
})

/** A copy of the package whose code reports another build. */
function otherBuild(version: string): string {
  const build = version.split('+').at(-1) ?? version
  const copy = join(folder, 'agentpty')
  const source = dirname(dirname(program))
  cpSync(source, copy, { recursive: true, filter: (path) => !resolve(path).startsWith(join(source, 'src')) })
  for (const file of readdirSync(join(copy, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.js(on)?$/.test(file)) continue
    const path = join(copy, 'dist', file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(build, 'anotherbuild'))
  }
  return join(copy, 'bin/agentpty.js')
}

test('a log smaller than one burst of output loses its beginning, states how much, and nothing else', async () => {
  const small = scratchInstance({ AGENTPTY_LOG_BYTES: String(64 * 1024) })
  const client = await small.rpc()
  const made = await client.call('create', { command: 'seq 1 200000; exit 3', waitFor: 'exit', waitTimeoutMs: 5_000 })
  expect(made).toMatchObject({ outcome: 'met', state: 'exited', exitCode: 3 })
  expect(made.output).toMatch(/\n200000$/)
  const { terminalId } = made
  const read = await client.call('read', { terminalId, since: 0, raw: true, maxBytes: 1 << 20 })
  expect([read.missedBytes, read.cursor]).toEqual([1_488_895 - 65_536, 1_488_895])
  expect((await client.call('screenshot', { terminalId })).screen).toContain('200000')
})

test('the socket is for its user only', async () => {
  await instance.status()
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const { runFolder, daemonSocket, hostSocket, lastId, log } = instance.paths
  await (await instance.rpc()).call('create', { command: ['cat'] })
  expect({ run: mode(runFolder), daemon: mode(daemonSocket), host: mode(hostSocket) }).toEqual({
    run: '700',
    daemon: '600',
    host: '600',
  })
  expect([mode(lastId), mode(log)]).toEqual(['600', '600'])
})

test.each<[string, () => Buffer]>([
  ['random bytes', () => randomBytes(100_000)],
  ['a line of 40 MB', () => Buffer.alloc(40 << 20, 'x')],
  ['half a hello', () => Buffer.from('{"agentpty":1,"face":"rpc","cli')],
  ['a hello of another program', () => Buffer.from('{"hello":"world"}\n')],
  ['nothing', () => Buffer.alloc(0)],
  ['a hello and then no messages', () => Buffer.from(`${hello('rpc')}no json\n[]\n{}\n`)],
  [
    'a hello and then a message of 40 MB',
    () => Buffer.concat([Buffer.from(hello('rpc')), Buffer.alloc(40 << 20, 'x')]),
  ],
  ['an MCP hello and then random bytes', () => Buffer.concat([Buffer.from(hello('mcp')), randomBytes(100_000)])],
  ['an MCP message of 40 MB', () => Buffer.concat([Buffer.from(hello('mcp')), Buffer.alloc(40 << 20, 'x')])],
])('a client that sends %s affects no other client', async (_what, bytes) => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { command: ['cat'] })
  const { pid } = (await instance.status()).daemon
  const stranger = connect(instance.paths.daemonSocket)
  stranger.on('error', () => stranger.destroy())
  stranger.resume()
  await new Promise<void>((sent) => {
    stranger.once('close', sent)
    stranger.write(bytes(), () => sent())
  })
  expect((await client.call('send', { terminalId, text: 'ping' })).output).toContain('ping')
  expect((await instance.status()).daemon.pid).toBe(pid)
  stranger.destroy()
  expect((await client.call('send', { terminalId, text: 'pong' })).output).toContain('pong')
})

function hello(face: 'rpc' | 'mcp'): string {
  return `${JSON.stringify({ agentpty: 1, face, client: 'stranger', cwd: '/', env: {} })}\n`
}

test('messages directly after the hello are all answered, over either protocol', async () => {
  await instance.status()
  const rpc = await answersTo(`${hello('rpc')}${rpcList(1)}${rpcList(2)}`, [rpcList(3)], 3)
  expect(rpc.map(({ id }) => id).toSorted()).toEqual([1, 2, 3])
  await instance.cli('stop')
  await instance.status()
  const mcp = await answersTo(`${hello('mcp')}${mcpPing(1)}`, [mcpPing(2), mcpPing(3)], 3)
  expect(mcp.map(({ id }) => id).toSorted()).toEqual([1, 2, 3])
})

const rpcList = (id: number): string => `${JSON.stringify({ id, method: 'list', params: {} })}\n`

/** The first one opens the old-era connection. */
const mcpPing = (id: number): string => {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const opening = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })
  return id === 1 ? `${opening}\n` : `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`
}

/** Sends the first part, the others right after the daemon's hello, and returns this many answers. */
function answersTo(first: string, later: readonly string[], count: number): Promise<{ readonly id: number }[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(instance.paths.daemonSocket)
    let text = ''
    let isGreeted = false
    socket.once('connect', () => socket.write(first))
    socket.once('error', reject)
    socket.on('data', (bytes) => {
      text += bytes
      const lines = text.split('\n').slice(0, -1)
      if (!isGreeted && lines.length > 0) {
        isGreeted = true
        for (const line of later) socket.write(line)
      }
      if (lines.length <= count) return
      socket.destroy()
      resolve(lines.slice(1).map((line) => JSON.parse(line)))
    })
  })
}
