/** The deep terminal's door: named sessions, one tool with actions, and its answers word for word. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '@agentpty/protocol'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { callForText } from './text-door.ts'

const logBytes = 262_144
const instance = scratchInstance({ AGENTPTY_LOG_BYTES: String(logBytes) })
let client: Client
let count = 0

const act = async (input: object, from = client): Promise<string> => {
  const { text, isError } = await callForText(from, 'deep_terminal', input)
  assert.equal(isError, text.startsWith('Error: '), text)
  return text
}

/** Opens a separate session for a test. */
async function start(input: object = {}): Promise<string> {
  count += 1
  const sessionId = `session-${count}`
  expect(await act({ action: 'start', sessionId, ...input })).toBe(`Session ${sessionId} started successfully.`)
  return sessionId
}

const execute = (sessionId: string, command: string, waitMs?: number) =>
  act(defined({ action: 'execute', sessionId, command, waitMs }))

const read = (sessionId: string, from = client) => act({ action: 'read', sessionId }, from)

async function sendAndWait(sessionId: string, command: string, timeoutMs?: number) {
  const { text } = await callForText(client, 'sendCommandAndWait', { sessionId, command, timeoutMs })
  return JSON.parse(text) as { readonly output: string; readonly exitCode: number | null; readonly success: boolean }
}

/** Reads until this text appears. */
async function readTo(sessionId: string, text: string): Promise<string> {
  let all = ''
  await until(async () => {
    const news = await read(sessionId)
    if (news !== '(No new output)') all += news
    return all.includes(text)
  })
  expect(all).toContain(text)
  return all
}

beforeAll(async () => {
  client = await instance.door('deep-terminal')
})

test('the tool has the names of the document and of the code, next to sendCommandAndWait', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['deep_terminal', 'manage_terminal', 'sendCommandAndWait'])
  const properties = Object.keys(tools[0]?.inputSchema.properties ?? {})
  expect(properties).toEqual(
    expect.arrayContaining(['action', 'sessionId', 'session_id', 'command', 'waitMs', 'shell']),
  )
  expect(tools[0]?.inputSchema.required).toEqual(['action'])
})

test.each(['deep_terminal', 'manage_terminal'])('%s: a session lives from start to terminate', async (tool) => {
  const call = async (input: object) => (await callForText(client, tool, { session_id: 'build', ...input })).text
  expect(await call({ action: 'start', shell: '/bin/bash' })).toBe('Session build started successfully.')
  expect(await call({ action: 'start' })).toBe('Session build already exists.')
  expect(await call({ action: 'read' })).toBe('(No new output)')
  expect(await call({ action: 'execute', command: 'cd /tmp; mine=1' })).toBe('Command sent to session build')
  expect(await call({ action: 'execute', command: 'echo "$PWD $mine $TERM"', waitMs: 5_000 })).toBe(
    'Command sent to session build\nOutput:\n/tmp 1 xterm-256color\nExit Code: 0 (success)',
  )
  expect(await call({ action: 'read' })).toContain('/tmp 1 xterm-256color')
  expect(await call({ action: 'read' })).toBe('(No new output)')
  expect(await call({ action: 'terminate' })).toBe('Session build terminated.')
  expect(await call({ action: 'terminate' })).toBe('Session build not found.')
  expect(await call({ action: 'read' })).toBe('Session build not found.')
})

test.each([
  [{ action: 'execute', sessionId: 'none', command: 'ls' }, 'Error: Session none not found. Please start it first.'],
  [
    { action: 'execute', sessionId: 'none', command: 'ls', waitMs: 100 },
    'Error: Session none not found. Please start it first.',
  ],
  [
    { action: 'sendCommandAndWait', sessionId: 'none', command: 'ls' },
    'Error: Session none not found. Please start it first.',
  ],
  [{ action: 'execute', sessionId: 'none' }, 'Error: Command required for execute action.'],
  [{ action: 'execute', sessionId: 'none', command: '' }, 'Error: Command required for execute action.'],
])('%j answers %s', async (input, text) => {
  expect(await act(input)).toBe(text)
})

test('a shell that cannot be started is reported', async () => {
  expect(await act({ action: 'start', sessionId: 'broken', shell: '/nowhere/sh' })).toMatch(/^Error: .*\/nowhere\/sh/)
  expect(await read('broken')).toBe('Session broken not found.')
})

test('an invalid call reports the problem', async () => {
  expect(await act({ action: 'start' })).toMatch(/^Error: deep_terminal: sessionId: name the session/)
  expect(await act({ action: 'stop', sessionId: 'x' })).toMatch(/^Error: .*action/)
})

test('a command that fails is returned with its exit code', async () => {
  const sessionId = await start()
  const answer = await execute(sessionId, 'echo no; (exit 3)', 5_000)
  expect(answer).toBe(`Command sent to session ${sessionId}\nOutput:\nno\nExit Code: 3 (failure)`)
})

test('a slow command is awaited to its end, and a slower one returns the output so far', async () => {
  const sessionId = await start()
  expect(await execute(sessionId, 'echo started; read -t 2.5; echo over', 30_000)).toContain(
    'started\nover\nExit Code: 0',
  )
  const answer = await execute(sessionId, 'echo started; cat /dev/zero > /dev/null', 500)
  expect(answer).toBe(`Command sent to session ${sessionId}\nOutput:\nstarted`)
  expect(await act({ action: 'terminate', sessionId })).toBe(`Session ${sessionId} terminated.`)
})

test('sendCommandAndWait answers with output, exit code and success', async () => {
  const sessionId = await start()
  expect(await sendAndWait(sessionId, 'echo hi')).toEqual({ output: 'hi', exitCode: 0, success: true })
  expect(await sendAndWait(sessionId, 'false')).toEqual({ output: '', exitCode: 1, success: false })
  const late = await sendAndWait(sessionId, 'echo so far; cat /dev/zero > /dev/null', 300)
  expect(late).toEqual({ output: 'so far', exitCode: null, success: false, timedOut: true })
})

test('a command that asks has not timed out', async () => {
  const sessionId = await start()
  const asking = await sendAndWait(sessionId, 'read -p "name? " name')
  expect(asking).toEqual({ output: 'name?', exitCode: null, success: false })
})

test('sendCommandAndWait is an action too, and does not move the read position', async () => {
  const sessionId = await start()
  const text = await act({ action: 'sendCommandAndWait', sessionId, command: 'echo seen', timeoutMs: 5_000 })
  expect(JSON.parse(text)).toEqual({ output: 'seen', exitCode: 0, success: true })
  expect(await read(sessionId)).toContain('seen')
})

test('a long output is returned completely', async () => {
  const sessionId = await start()
  const { output } = await sendAndWait(sessionId, 'seq 1 20000')
  expect(output).toBe(Array.from({ length: 20_000 }, (_, index) => `${index + 1}`).join('\n'))
})

test('two simultaneous commands get their own output each', async () => {
  const sessionId = await start()
  const answers = await Promise.all([
    sendAndWait(sessionId, 'read -t 0.3; echo first'),
    sendAndWait(sessionId, 'read -t 0.1; echo second'),
  ])
  expect(answers.map(({ output }) => output)).toEqual(['first', 'second'])
})

test('a program that asks is answered by the next command', async () => {
  const sessionId = await start()
  expect(await execute(sessionId, 'python3 -q', 10_000)).toBe(`Command sent to session ${sessionId}\nOutput:\n>>>`)
  expect(await execute(sessionId, '6*7', 10_000)).toContain('Output:\n42')
  expect((await sendAndWait(sessionId, 'exit()')).output).not.toContain('>>>')
  expect(await sendAndWait(sessionId, 'echo $?')).toMatchObject({ output: '0' })
})

test('each read returns the output since the previous one, over far more than 2,000 pieces', async () => {
  const sessionId = await start()
  for (let round = 0; round < 6; round++) {
    const numbers = `seq -f 'round-${round}-%g' 1 1000`
    await sendAndWait(sessionId, numbers)
    const news = await read(sessionId)
    const lines = news.split('\n').filter((line) => line.startsWith('round-'))
    expect(lines).toEqual(Array.from({ length: 1_000 }, (_, index) => `round-${round}-${index + 1}`))
  }
})

test('output overwritten before it was read is reported, and reading continues', async () => {
  const sessionId = await start()
  await sendAndWait(sessionId, 'seq 1 100000; echo over', 30_000)
  const news = await read(sessionId)
  const [, missed] = /^\[(\d+) bytes of older output were overwritten before this read\]\n/.exec(news) ?? []
  expect(Number(missed)).toBeGreaterThan(588_895 - logBytes)
  expect(news).toContain('\n99999\n100000\nover\n')
  await sendAndWait(sessionId, 'echo after')
  expect(await read(sessionId)).toMatch(/^echo after\nafter\n/)
  expect(await read(sessionId)).toBe('(No new output)')
})

test('each caller has its own read position', async () => {
  const sessionId = await start()
  const other = await instance.door('deep-terminal')
  await sendAndWait(sessionId, 'echo once')
  expect(await read(sessionId)).toContain('once')
  expect(await read(sessionId, other)).toContain('once')
  expect(await read(sessionId, other)).toBe('(No new output)')
})

test('characters of several bytes are complete, and the terminal is a real one', async () => {
  const sessionId = await start()
  expect(
    (await sendAndWait(sessionId, 'printf "äöü€😀\\n%.0s" $(seq 3000) | sort -u; test -t 0 && echo tty')).output,
  ).toBe('äöü€😀\ntty')
})

test('an ended shell stays until terminated, and accepts no commands', async () => {
  const sessionId = await start()
  expect(await execute(sessionId, 'echo bye; exit 4')).toBe(`Command sent to session ${sessionId}`)
  const all = await readTo(sessionId, '[Session closed with code 4]')
  expect(all).toMatch(/bye[\s\S]*\n\[Session closed with code 4\]\n$/)
  expect(await read(sessionId)).toBe('(No new output)')
  expect(await act({ action: 'start', sessionId })).toBe(`Session ${sessionId} already exists.`)
  for (const waitMs of [undefined, 100])
    expect(await execute(sessionId, 'ls', waitMs)).toBe(`Error: Session ${sessionId} stdin is not writable.`)
  expect(await act({ action: 'terminate', sessionId })).toBe(`Session ${sessionId} terminated.`)
  expect(await act({ action: 'start', sessionId })).toBe(`Session ${sessionId} started successfully.`)
})

test('terminate ends the shell’s processes, in the background too', async () => {
  const sessionId = await start()
  await sendAndWait(sessionId, 'sleep 1000 & (trap "" HUP TERM; exec sleep 1000) & disown -a')
  const before = instance.processes().length
  await act({ action: 'terminate', sessionId })
  await until(() => instance.processes().length <= before - 3)
  expect(instance.processes().length).toBeLessThanOrEqual(before - 3)
})

test('any text names a session', async () => {
  const sessionId = `läng & "breit" ${'x'.repeat(300)}`
  expect(await act({ action: 'start', sessionId })).toBe(`Session ${sessionId} started successfully.`)
  expect(await sendAndWait(sessionId, 'echo here')).toMatchObject({ output: 'here' })
  expect(await act({ action: 'terminate', sessionId })).toBe(`Session ${sessionId} terminated.`)
})

test('the output of a start-up file is read', async () => {
  writeFileSync(join(instance.user, '.bashrc'), "PS1='$ '\necho welcome\n")
  expect(await read(await start())).toContain('welcome')
  writeFileSync(join(instance.user, '.bashrc'), "PS1='$ '\n")
})

test('sessions outlive the daemon', async () => {
  const sessionId = await start()
  await sendAndWait(sessionId, 'kept=1')
  await instance.killDaemon()
  await until(async () => {
    const { text } = await callForText(client, 'deep_terminal', { action: 'start', sessionId })
    return text === `Session ${sessionId} already exists.`
  })
  expect(await sendAndWait(sessionId, 'echo "[$kept]"')).toMatchObject({ output: '[1]' })
})

test('a prompt keeps its blank, and a single blank is output', async () => {
  const sessionId = await start()
  await execute(sessionId, "PS1='> '; printf 'name: '; read name")
  expect(await readTo(sessionId, 'name:')).toMatch(/\nname: $/)
  await execute(sessionId, 'x')
  expect(await readTo(sessionId, '>')).toMatch(/\n> $/)
  expect(await read(sessionId)).toBe('(No new output)')
})

test('names and numbers may be of the other type', async () => {
  expect(await act({ action: 'start', sessionId: 7 })).toBe('Session 7 started successfully.')
  expect(await act({ action: 'execute', sessionId: '7', command: 'echo hi', waitMs: '5000' })).toContain(
    'hi\nExit Code: 0',
  )
  expect(await act({ action: 'terminate', sessionId: 7 })).toBe('Session 7 terminated.')
})
