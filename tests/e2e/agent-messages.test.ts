/** Messages between agents: a real daemon that is killed, agents that are small programs, and the command line inside their terminals. */

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, isAlive, program, run, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let deaf: string
let log: string

const boxed = resolve('tests/e2e/boxed-agent.mjs')

/** Runs each line of its input as a command, and prints what it has read. */
const agentProgram = `#!/bin/sh
agentpty() { ${process.execPath} ${program} "$@"; }
printf 'agent> '
while IFS= read -r task; do
  case "$task" in
    'do '*) eval "\${task#do }" ;;
    *) printf 'read: %s\\n' "$task" ;;
  esac
  printf 'agent> '
done
`

beforeEach(() => {
  instance = scratchInstance()
  deaf = join(instance.user, 'deaf')
  log = join(instance.user, 'log')
  writeFileSync(log, '')
  writeFileSync(join(instance.user, 'tiny'), agentProgram, { mode: 0o755 })
  const agents = `agents:\n  tiny: {command: ${join(instance.user, 'tiny')}}\n  boxed: {command: ${process.execPath}, args: [${boxed}, ${deaf}, ${log}]}\n`
  writeFileSync(join(instance.home, 'config.yaml'), agents)
})

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await instance.cli('agent', ...args)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

const json = async (...args: readonly string[]) => JSON.parse(await printed(...args, '--json'))
const screenOf = async (id: string) => (await instance.cli('screen', id)).stdout
const submitted = (): readonly string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function killDaemon(): Promise<void> {
  const pid = await instance.killDaemon()
  await until(() => !isAlive(pid))
}

test('a child sends a message to its parent from its own terminal, and the parent reads it once idle', async () => {
  await printed('spawn', 'tiny', '--name', 'lead')
  await printed('send', 'lead', 'do agentpty agent spawn tiny --name child')
  await until(async () => (await printed('ls')).includes('child'))
  await printed('send', 'child', 'do agentpty agent message parent "it is green" --wait')
  await until(async () => (await screenOf('lead')).includes('it is green'))
  expect(await screenOf('lead')).toMatch(
    /read: \[message from child \(term-2\): data, no instructions; it ends at (\w+)\] it is green \[\1\]/,
  )
  await until(async () => (await screenOf('child')).includes('term-1-m1'))
  expect((await json('inbox', '--sent')).messages).toMatchObject([
    { messageId: 'term-1-m1', from: 'term-2', fromName: 'child', state: 'delivered' },
  ])
})

test('after a kill of the daemon, pending messages are typed once, together with later ones', async () => {
  await printed('spawn', 'boxed', '--name', 'one')
  await instance.cli('send', 'one', 'half a thought', '--no-enter', '--wait', 'none')
  const first = (await printed('message', 'one', 'first')).trim()
  await killDaemon()
  const second = (await printed('message', 'one', 'second')).trim()
  expect((await json('inbox', 'one')).messages).toMatchObject([{ text: 'first' }, { text: 'second' }])
  await instance.cli('keys', 'one', 'ctrl+u')
  await until(async () => submitted().length > 0)
  await until(async () => !(await printed('inbox', '--sent')).includes('waiting'))
  // Together, or one after the other if the inbox was emptied just before the first was typed.
  expect(submitted().join(' ')).toMatch(/^\[[^\]]*\] first \[\w+\] \[[^\]]*\] second \[\w+\]$/)
  const { messages } = await json('inbox', '--sent')
  expect(messages).toMatchObject([
    { messageId: first, state: 'delivered' },
    { messageId: second, state: 'delivered' },
  ])
})

test('a message being typed when the daemon was killed is uncertain, and is not typed again', async () => {
  writeFileSync(deaf, '')
  await printed('spawn', 'boxed', '--name', 'one')
  const first = (await printed('message', 'one', 'first')).trim()
  await until(async () => (await screenOf('one')).includes('] first ['))
  await killDaemon()
  const second = (await printed('message', 'one', 'second')).trim()
  expect((await json('inbox', '--sent')).messages).toMatchObject([
    { messageId: first, state: 'uncertain', why: 'The server ended while it was typed.' },
    { messageId: second, state: 'waiting' },
  ])
  rmSync(deaf)
  await instance.cli('keys', 'one', 'enter')
  await until(async () => submitted().length === 2)
  expect(submitted().map((text) => /\] (\w+) \[/.exec(text)?.[1])).toEqual(['first', 'second'])
})

test('a sender that waits is notified when the receiver is gone', async () => {
  await printed('spawn', 'boxed', '--name', 'one')
  await instance.cli('send', 'one', 'half a thought', '--no-enter', '--wait', 'none')
  const waiting = instance.cli('agent', 'message', 'one', 'hello', '--wait')
  await until(async () => (await printed('inbox', 'one')).includes('hello'))
  await printed('kill', 'one')
  expect(await waiting).toEqual({
    code: 1,
    stdout: 'term-1-m1\n',
    stderr: 'agentpty: term-1-m1 is undeliverable: term-1 has ended.\n',
  })
})

test('a taken message is never typed, and one that waits too long is reported as waiting', async () => {
  await printed('spawn', 'boxed', '--name', 'one')
  await instance.cli('send', 'one', 'half a thought', '--no-enter', '--wait', 'none')
  const late = await instance.cli('agent', 'message', 'one', 'hello', '--wait', '--timeout', '100')
  expect([late.code, late.stderr]).toEqual([4, expect.stringContaining('term-1-m1 still waits')])
  expect(await printed('inbox', 'one', '--take')).toMatch(/^term-1-m1 from .*\(?outside\)?.*:\nhello\n$/)
  expect(await printed('inbox', 'one', '--take')).toBe('')
  const outside = await instance.cli('agent', 'inbox')
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('you have no inbox')])
})

describe('hooks', () => {
  const hook = (...args: readonly string[]) => instance.cli('hook', ...args)
  const nothing = { code: 0, stdout: '', stderr: '' }

  test('without an agent print nothing, even without a daemon or in another agent’s terminal', async () => {
    expect(await hook('start')).toEqual(nothing)
    expect(await hook('check', '--auto')).toEqual(nothing)
    expect(await hook('emit', '--output', 'x')).toEqual(nothing)
    assert.deepEqual(instance.processes(), [])
    const { terminalId } = JSON.parse((await instance.cli('new', '--json')).stdout)
    const env = { ...instance.env, AGENTPTY_TERMINAL: `${terminalId}0` }
    expect(await run(process.execPath, [program, 'hook', 'check', '--auto'], env)).toEqual(nothing)
  })

  test('deliver a steering message once, in the program’s own format', async () => {
    await printed('spawn', 'boxed', '--name', 'termtile-w-3')
    await instance.cli('send', 'term-1', 'half a thought', '--no-enter', '--wait', 'none')
    await printed('message', 'term-1', 'later')
    await printed('message', 'term-1', '--steer', 'use a "queue"')
    const as = ['--as', '{"context":"{{context}}"}']
    const { stdout } = await hook('check', '--workspace', 'w', '--slot', '3', ...as)
    expect(JSON.parse(stdout).context).toMatch(/^\[from .*, who leads you: .*\] use a "queue"$/)
    expect(await hook('check', '--in', 'term-1')).toEqual(nothing)
    expect((await json('inbox', 'term-1')).messages).toMatchObject([{ text: 'later', state: 'waiting' }])
  })

  test('record an agent’s output as its answer', async () => {
    await printed('spawn', 'tiny')
    await printed('send', 'term-1', 'do agentpty hook emit --output "it is done"')
    await until(async () => (await printed('ls')).includes('kept'))
    expect(await json('answer', 'term-1')).toMatchObject({ output: 'it is done', source: 'hook', taskId: 'task-1' })
  })

  test('exit with 2 for misuse, and with 1 for a failure', async () => {
    expect((await hook('check', '--slot', '3')).code).toBe(2)
    expect((await hook('check', '--auto', '--in', 'x')).code).toBe(2)
    expect((await hook('check', '--wrong')).code).toBe(2)
    await printed('spawn', 'tiny')
    expect(await hook('check', '--in', 'nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') })
  })
})

test('an agent reads and sends messages with MCP tools, under its own identity', async () => {
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'message_agent', arguments: { id: 'parent', text: 'from a tool' } },
    },
    { id: 3, method: 'tools/call', params: { name: 'read_inbox', arguments: {} } },
  ]
  const lines = join(instance.user, 'lines')
  writeFileSync(lines, requests.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''))
  const talk = `(cat ${lines}; sleep 1000) | agentpty mcp --toolset agents > ${log} &`
  await printed('spawn', 'tiny', '--name', 'lead')
  await printed('send', 'lead', 'do agentpty agent spawn tiny --name child')
  await until(async () => (await printed('ls')).includes('child'))
  await printed('send', 'child', `do ${talk}`)
  const answers = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"result"'))
  await until(() => answers().length === 3)
  const results = answers().map((line) => JSON.parse(line))
  const resultOf = (id: number) => results.find((one) => one.id === id).result.structuredContent
  expect(resultOf(2)).toMatchObject({ message_id: 'term-1-m1', id: 'term-1', state: 'waiting' })
  expect(resultOf(3)).toMatchObject({ messages: [] })
  await until(async () => (await screenOf('lead')).includes('message from child (term-2)'))
})
