/** `kill -9` of the daemon costs only the calls in flight: no session, no byte, no process, and no duplicate answer. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { errorOf, rawLog } from '../contract/suite.ts'
import { type Era, type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let folder: string
beforeEach(() => {
  instance = scratchInstance()
  folder = scratchFolder()
})
async function killDaemon(): Promise<number> {
  const pid = await instance.killDaemon()
  await until(() => !isAlive(pid))
  return pid
}

/** Prints numbered lines with very short pauses, waits for a line, prints the rest and ends. */
const printer = (name: string, half: number): string =>
  `i=0; while ((i < ${half})); do for ((j = 0; j < 500; j++)); do echo "${name} line $((i++)) ${'.'.repeat(40)}"; done; ` +
  `read -t 0.001 never < /dev/zero; done; read go; seq -f "${name} end %.0f" 1 20000`

function printed(name: string, half: number): string {
  const lines = Array.from({ length: half }, (_, index) => `${name} line ${index} ${'.'.repeat(40)}\r\n`)
  const ends = Array.from({ length: 20_000 }, (_, index) => `${name} end ${index + 1}\r\n`)
  return [...lines, ...ends].join('')
}

test('every byte printed before, during and after the absence of a daemon is there, and offsets keep their meaning', async () => {
  const half = 20_000
  const names = ['one', 'two', 'three']
  const before = await instance.rpc()
  const open = (name: string) =>
    before.call('create', { name, command: ['bash', '-c', `stty -echo; ${printer(name, half)}`], waitFor: 'output' })
  const made = await Promise.all(names.map(open))
  const early = await Promise.all(
    names.map((terminalId) => before.call('read', { terminalId, since: 0, raw: true, maxBytes: 10_000 })),
  )
  await killDaemon()

  const after = await instance.rpc()
  // The very first request already gets the whole history, not only the part read again so far.
  for (const [index, terminalId] of names.entries()) {
    const cursor = early[index]?.cursor ?? 0
    const again = await after.call('read', { terminalId, since: 0, raw: true, maxBytes: 10_000 })
    expect(again.output.startsWith(early[index]?.output ?? '?')).toBe(true)
    const next = await after.call('read', { terminalId, since: cursor, raw: true, maxBytes: 256 })
    expect(next.cursor).toBeGreaterThanOrEqual(cursor)
    expect(next).not.toHaveProperty('missedBytes')
  }
  for (const terminalId of names) {
    await after.call('read', { terminalId, since: 0, waitFor: { text: `${terminalId} line ${half - 1} ` } })
    await after.call('send', { terminalId, text: '', waitFor: 'exit' })
    const text = await rawLog(after.call.bind(after), terminalId)
    const expected = `${printed(terminalId, half)}`
    expect(text.length).toBe(expected.length)
    expect(text === expected).toBe(true)
  }
  const { terminals } = await after.call('list', {})
  expect(terminals.map(({ pid }) => pid)).toEqual(made.map(({ pid }) => pid))
})

test('the times of commands, sizes, output and the exit survive the daemon', async () => {
  const before = await instance.rpc()
  const { terminalId } = await before.call('create', { shell: 'bash' })
  await before.call('run', { terminalId, command: 'echo one; sleep 0.3' })
  await before.call('resize', { terminalId, cols: 100, rows: 40 })
  await before.call('run', { terminalId, command: 'echo two; sleep 0.3' })
  await before.call('send', { terminalId, text: 'exit 3', waitFor: 'exit' })
  const timesIn = async (client: Client) => {
    const { items, startedAt } = await client.call('timeline', { terminalId })
    const { recording } = await client.call('recording', { terminalId, version: 2 })
    const events = recording.trim().split('\n').slice(1)
    return { items, startedAt, seconds: events.map((event) => (JSON.parse(event) as [number])[0]) }
  }
  const was = await timesIn(before)
  const over = Date.now()
  await killDaemon()
  const is = await timesIn(await instance.rpc())

  const known = ({ items }: typeof is) =>
    items.flatMap((item) => (item.kind === 'command' ? [item.line] : item.kind === 'typed' ? [] : [item.kind]))
  expect(known(is)).toEqual(known(was))
  const [one, two] = is.items.filter((item) => item.kind === 'command')
  expect(two).not.toHaveProperty('timeUnknown')
  expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(200)
  const exit = is.items.find((item) => item.kind === 'exit')
  expect((exit?.at ?? 0) - (two?.at ?? 0)).toBeGreaterThan(200)
  expect(exit?.at).toBeLessThanOrEqual(over)
  const size = is.items.find((item) => item.kind === 'size')
  expect((size?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(200)
  expect(is.seconds.at(-1)).toBeGreaterThan(0.4)
  expect(is.seconds.at(-1)).toBeLessThan((over - is.startedAt) / 1_000)
})

test.each<Era>(['old', 'new'])(
  'an agent (%s protocol) gets an error with the advice to retry, and the next call on the same connection works',
  async (era) => {
    const agent = await instance.mcp(era)
    const { terminalId, pid } = await agent.call('create', { shell: 'bash' })
    const sent = await agent.call('send', { terminalId, text: 'echo before; cat' })
    const waiting = agent.call('read', { terminalId, since: sent.cursor, waitFor: { text: 'never' } })
    const lost = errorOf(waiting)
    const killed = await killDaemon()
    expect(await lost).toMatchObject({ code: 'daemon_gone', hint: expect.stringContaining('again') })
    const next = await agent.call('send', { terminalId, text: 'hello' })
    expect(next).toMatchObject({ outcome: 'met', kind: 'line' })
    expect(next.output).toContain('hello')
    expect(next.cursor).toBeGreaterThan(sent.cursor)
    expect((await agent.call('read', { terminalId, since: 0 })).output).toContain('before')
    expect((await agent.call('list', {})).terminals).toMatchObject([{ terminalId, pid }])
    expect((await instance.status()).daemon.pid).not.toBe(killed)
    // Still the owner of its terminals.
    expect(await agent.call('close', { all: true })).toEqual({ closed: [terminalId] })
  },
)

test('calls made without a daemon are all answered', async () => {
  const agent = await instance.mcp('old')
  const { terminalId } = await agent.call('create', { shell: 'bash' })
  await killDaemon()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => agent.call('read', { terminalId, since: 0 }).then(({ output }) => output)),
  )
  expect(new Set(answers)).toEqual(new Set(['$']))
  expect((await agent.protocol.listTools()).tools.length).toBeGreaterThan(5)
})

test('the daemon can be killed repeatedly', async () => {
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { shell: 'bash' })
  for (const round of ['first', 'second', 'third']) {
    await killDaemon()
    expect((await agent.call('run', { terminalId, command: `echo ${round}` })).output).toBe(round)
  }
})

test('full-screen programs look the same afterwards, in their size, and continue', async () => {
  const file = join(folder, 'text')
  writeFileSync(file, Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join(''))
  const before = await instance.rpc()
  const command = ['vim', '-u', 'NONE', '-i', 'NONE', '-n', file]
  const { terminalId } = await before.call('create', { command, cols: 70, rows: 20 })
  await before.call('resize', { terminalId, cols: 90, rows: 25 })
  await before.call('sendKeys', { terminalId, keys: ['5', '0', 'G', 'V', 'j', 'j'] })
  const seen = await stableScreen(before, terminalId)
  expect(seen).toMatchObject({ cols: 90, rows: 25, alternateScreen: true })
  await killDaemon()
  const after = await instance.rpc()
  expect(await stableScreen(after, terminalId)).toEqual(seen)
  await after.call('sendKeys', { terminalId, keys: ['escape', 'G'] })
  expect((await stableScreen(after, terminalId)).screen).toContain('line 200')
})

async function stableScreen(client: Client, terminalId: string) {
  await client.call('read', { terminalId, waitFor: { stableMs: 100 } })
  const { screen, rows, cols, cursorRow, cursorCol, alternateScreen } = await client.call('screenshot', {
    terminalId,
    format: 'ansi',
  })
  return { screen, rows, cols, cursorRow, cursorCol, alternateScreen }
}

test('a query answered before the kill is not answered again', async () => {
  const program = [
    'import os, sys, tty, termios',
    'tty.setraw(0)',
    'os.write(1, b"\\x1b[6n")',
    'answer = b""',
    'while not answer.endswith(b"R"): answer += os.read(0, 1)',
    'os.write(1, b"answered\\r\\n")',
    'line = b""',
    'while not line.endswith(b"!"): line += os.read(0, 100)',
    'os.write(1, b"then came " + repr(line).encode() + b"\\r\\n")',
    'os.read(0, 1)',
  ].join('\n')
  const before = await instance.rpc()
  const { terminalId } = await before.call('create', {
    command: ['python3', '-c', program],
    waitFor: { text: 'answered' },
  })
  await killDaemon()
  const after = await instance.rpc()
  // The screen is built from the history, including queries.
  await after.call('screenshot', { terminalId })
  const sent = await after.call('send', { terminalId, text: '!', newline: false, waitFor: { quietMs: 100 } })
  expect(sent.output).toContain("then came b'!'")
})

test('a running command continues, and its end is reported with its exit code', async () => {
  const before = await instance.rpc()
  const { terminalId } = await before.call('create', { shell: 'bash' })
  await before.call('send', { terminalId, text: 'read x; (exit 23)' })
  await killDaemon()
  const after = await instance.rpc()
  expect(await after.call('send', { terminalId, text: 'go', waitFor: 'command' })).toMatchObject({ exitCode: 23 })
  expect(await after.call('run', { terminalId, command: 'echo on' })).toMatchObject({ output: 'on', exitCode: 0 })
})

test('an end without a daemon is reported by the next one', async () => {
  const before: WireClient = await instance.rpc()
  const { terminalId, pid } = await before.call('create', { command: 'read x; echo bye; exit 9' })
  const { pid: daemon } = (await instance.status()).daemon
  process.kill(daemon, 'SIGKILL')
  process.kill(pid, 'SIGTERM')
  await until(() => !isAlive(pid))
  const after = await instance.rpc()
  expect(await after.call('read', { terminalId })).toMatchObject({ state: 'exited', signal: 'SIGTERM' })
  await expect(after.call('send', { terminalId, text: 'x' })).rejects.toMatchObject({ code: 'session_exited' })
})
