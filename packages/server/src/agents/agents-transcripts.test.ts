/** Answers and tokens by transcripts, of agents whose terminals and transcripts belong to the test. */

import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artifactBytesMax } from '@agentpty/protocol'
import type { Adapter, LinesShape } from '@agentpty/protocol/agents'
import { adapterOfCommand } from '@agentpty/protocol/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFakeEngine } from '../fake-engine.ts'
import { memoryStore } from './agents-file.ts'

const transcripts: LinesShape = {
  kind: 'lines',
  folder: { variable: 'TELLER_HOME', below: '', otherwise: '.teller' },
  file: '{id}.jsonl',
  helpers: '{id}/*.jsonl',
  marks: ['said'],
  lists: [],
  at: 'at',
  rules: [
    {
      where: { type: 'said' },
      text: 'text',
      used: { counts: 'each', input: ['input'], output: ['output'], cost: ['usd'] },
    },
  ],
}
const teller: Adapter = {
  ...adapterOfCommand('teller', ['teller']),
  asksForAnswer: true,
  transcripts,
  conversations: { begin: ['--id', '{id}'], resume: ['--resume', '{id}'], fork: null },
}
const quiet = adapterOfCommand('quiet', ['quiet'])

let home: string
let isOver = false
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentpty-transcripts-'))
  mkdirSync(join(home, '.teller'))
  isOver = false
})
afterEach(() => {
  isOver = true
  rmSync(home, { recursive: true, force: true })
})

const status = (state: string) => `\x1b]7501;state=${state}:app=x\x07`
const now = { waitTimeoutMs: 0 } as const

/** Time passes by itself until the test is over. */
function open() {
  const engine = openFakeEngine({}, undefined, { adapters: () => [teller, quiet], store: memoryStore() })
  const tick = () => {
    if (isOver) return
    engine.clock.advance(20)
    setImmediate(tick)
  }
  tick()
  const env = { SHELL: '/bin/sh', HOME: home }
  const client = engine.clientOf({ env })
  const below = (terminalId: string) => engine.clientOf({ env: { ...env, AGENTPTY_TERMINAL: terminalId } })
  const conversationOf = async (terminalId: string) => {
    const { terminals } = await client.call('list', {})
    return (
      terminals
        .find((one) => one.terminalId === terminalId)
        ?.command.split(' ')
        .at(-1) ?? ''
    )
  }
  const tell = async (terminalId: string, record: object) =>
    appendFileSync(
      join(home, '.teller', `${await conversationOf(terminalId)}.jsonl`),
      `${JSON.stringify({ type: 'said', at: engine.clock.wall(), ...record })}\n`,
    )
  return { ...engine, client, below, tell, conversationOf }
}

/** An idle agent that was given a task, and the fences of it. */
async function instructed(engine: ReturnType<typeof open>) {
  await engine.client.call('spawn', { agent: 'teller', ...now })
  engine.pty(1).prints(status('idle'))
  await engine.client.call('instruct', { terminalId: 'term-1', text: 'count' })
  engine.pty(1).prints(status('working'))
  const nonce = /BEGIN-RESPONSE-(\w+)/.exec(engine.pty(1).written)?.[1] ?? ''
  return { begin: `BEGIN-RESPONSE-${nonce}`, end: `END-RESPONSE-${nonce}` }
}

const wide = 'x'.repeat(300)
const exact = `| ${wide} | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\nconst a = 1   \n\`\`\``

test('what the transcript has is the answer, to the letter, and not what the screen has made of it', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  await engine.tell('term-1', { text: `${begin}\n${exact}\n${end}`, input: 10, output: 2 })
  engine.pty(1).prints(`${begin}\r\n┌${'─'.repeat(40)}┐\r\n│ ${wide.slice(0, 38)} │\r\n└───┘\r\n${end}\r\n`)
  const waited = await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  expect(waited).toMatchObject({ agents: [{ outcome: 'finished' }] })
  const { artifact } = await engine.client.call('artifact', { terminalId: 'term-1' })
  expect(artifact).toMatchObject({ output: exact, source: 'transcript', taskId: 'task-1' })
})

test('while the transcript has no answer the screen’s is returned, and the transcript’s at the next call', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  engine.pty(1).prints(`${begin}\r\n42  of\r\nthem\r\n${end}\r\n`)
  const waited = await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  expect(waited).toMatchObject({ agents: [{ outcome: 'finished' }] })
  const capture = { terminalId: 'term-1', capture: 'missing' } as const
  expect((await engine.client.call('artifact', capture)).artifact).toMatchObject({ source: 'fences' })
  await engine.tell('term-1', { text: `${begin}\n42  of them  \n${end}` })
  expect((await engine.client.call('artifact', capture)).artifact).toMatchObject({
    output: '42  of them  ',
    source: 'transcript',
  })
})

test('an answer whose beginning has left the screen is there by the transcript', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  await engine.tell('term-1', { text: `${begin}\n42\n${end}` })
  engine.pty(1).prints(`${status('done')}\x1b[?1049h\x1b[2J\x1b[Hthe end of it\r\n`)
  await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  const { artifact } = await engine.client.call('artifact', { terminalId: 'term-1', capture: 'missing' })
  expect(artifact).toMatchObject({ output: '42', source: 'transcript' })
})

test('without fences the last message of the transcript is the answer, marked as such, until there is one with fences', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  await engine.tell('term-1', { text: 'I begin.' })
  const capture = { terminalId: 'term-1', capture: 'missing' } as const
  expect(await engine.client.call('artifact', capture)).toEqual({ artifact: null })
  await engine.tell('term-1', { text: 'It is **42**.' })
  engine.pty(1).prints(status('done'))
  await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  for (const way of ['missing', 'answer'] as const)
    expect((await engine.client.call('artifact', { ...capture, capture: way })).artifact).toMatchObject({
      output: 'It is **42**.',
      source: 'message',
      taskId: 'task-1',
    })
  await engine.tell('term-1', { text: `${begin}\n43\n${end}` })
  expect((await engine.client.call('artifact', capture)).artifact).toMatchObject({ output: '43', source: 'transcript' })
})

test('a message from before the task is no answer to it', async () => {
  const engine = open()
  await instructed(engine)
  await engine.tell('term-1', { text: 'from before', at: engine.clock.wall() - 60_000 })
  engine.pty(1).prints(status('done'))
  await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  const capture = { terminalId: 'term-1', capture: 'missing' } as const
  expect(await engine.client.call('artifact', capture)).toEqual({ artifact: null })
})

test('the answer to an earlier task or of another agent does not count', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  await engine.tell('term-1', { text: `${begin}\n42\n${end}` })
  engine.pty(1).prints(status('idle'))
  await engine.client.call('instruct', { terminalId: 'term-1', text: 'count again' })
  engine.pty(1).prints(`${status('working')}${status('done')}`)
  await engine.client.call('awaitAgents', { terminalIds: ['term-1'] })
  const capture = { terminalId: 'term-1', capture: 'missing' } as const
  expect(await engine.client.call('artifact', capture)).toEqual({ artifact: null })
  const fences = /BEGIN-RESPONSE-(\w+)(?!.*BEGIN-RESPONSE)/s.exec(engine.pty(1).written)?.[1]
  await engine.tell('term-1', { text: `BEGIN-RESPONSE-${fences}\n43\nEND-RESPONSE-${fences}` })
  expect(await engine.client.call('artifact', capture)).toMatchObject({ artifact: { output: '43', taskId: 'task-2' } })
})

test('an answer has no control characters, and one of more than 1 MiB is kept whole, its head at hand', async () => {
  const engine = open()
  const { begin, end } = await instructed(engine)
  const long = 'é\t'.repeat(400_000)
  await engine.tell('term-1', { text: `${begin}\n\x1b]52;c;AAAA\x07${long}\r\n${end}` })
  engine.pty(1).prints(status('done'))
  await engine.client.call('wait', { terminalIds: ['term-1'] })
  const capture = { terminalId: 'term-1', capture: 'missing' } as const
  const whole = `]52;c;AAAA${long}`
  const taken = (await engine.client.call('artifact', capture)).artifact
  expect([taken?.output === whole, taken?.originalBytes]).toEqual([true, Buffer.byteLength(whole)])
  const kept = (await engine.client.call('artifact', capture)).artifact
  expect(Buffer.byteLength(kept?.output ?? '')).toBeLessThanOrEqual(artifactBytesMax)
  expect(whole.startsWith(kept?.output ?? 'nothing')).toBe(true)
})

test('usage is reported for each agent and summed for its ancestors, gone ones included; without a report it is unknown', async () => {
  const engine = open()
  const { client, below, tell } = engine
  await client.call('spawn', { agent: 'teller', ...now })
  await below('term-1').call('spawn', { agent: 'teller', ...now })
  await below('term-1').call('spawn', { agent: 'quiet', ...now })
  await below('term-2').call('spawn', { agent: 'teller', ...now })
  await tell('term-1', { input: 100, output: 10 })
  await tell('term-2', { input: 20, output: 2, usd: 0.5 })
  await tell('term-4', { input: 3, output: 1, usd: 0.25 })
  await client.call('close', { terminalId: 'term-4' })
  const usages = (await client.call('agents', {})).agents.map(({ usage }) => usage)
  expect(usages).toMatchObject([{ input: 100, costUsd: null }, { input: 20, costUsd: 0.5 }, undefined])
  const { rollUps } = await client.call('lineage', {})
  expect(rollUps['node-term-1']).toMatchObject({
    below: 2,
    usage: { input: 100, output: 10, costUsd: null },
    usageBelow: { input: 23, output: 3, costUsd: 0.75 },
  })
  expect(rollUps['node-term-2']).toMatchObject({ usage: { input: 20 }, usageBelow: { input: 3 } })
  expect(rollUps['node-term-3']).toMatchObject({ usage: null, usageBelow: null })
})

test('what the helpers of an agent have used is its own', async () => {
  const engine = open()
  await engine.client.call('spawn', { agent: 'teller', ...now })
  await engine.tell('term-1', { input: 100, output: 10 })
  const folder = join(home, '.teller', await engine.conversationOf('term-1'))
  mkdirSync(folder)
  appendFileSync(join(folder, 'a.jsonl'), `{"type":"said","at":${engine.clock.wall()},"input":5,"output":1}\n`)
  expect((await engine.client.call('agents', {})).agents).toMatchObject([{ usage: { input: 105, output: 11 } }])
  expect(readdirSync(folder)).toHaveLength(1)
})

test('an agent that goes on with a conversation has used what was used since, and the one before it the rest', async () => {
  const engine = open()
  const { client, tell } = engine
  await client.call('spawn', { agent: 'teller', name: 'first', ...now })
  await tell('term-1', { input: 100, output: 10 })
  engine.clock.advance(1_000)
  engine.pty(1).exits({ code: 0 })
  await client.call('resume', { agentId: 'term-1', ...now })
  await tell('term-2', { input: 7, output: 1 })
  const { agents } = await client.call('agents', {})
  expect(agents.map(({ usage }) => usage?.input)).toEqual([100, 7])
})

test('a subtree that has used up its tokens starts no agent and takes no message; running agents continue', async () => {
  const engine = open()
  const { client, below, tell } = engine
  await client.call('spawn', { agent: 'teller', limits: { tokens: 100 }, ...now })
  await below('term-1').call('spawn', { agent: 'teller', ...now })
  for (const number of [1, 2]) engine.pty(number).prints(status('idle'))
  await tell('term-2', { input: 60, output: 39 })
  await client.call('instruct', { terminalId: 'term-2', text: 'count' })
  engine.pty(2).prints(status('idle'))
  const typed = engine.pty(2).written
  await tell('term-1', { input: 1, output: 0 })
  const refusal = 'term-1 and those below it have used 100 tokens, and the limit (agents.limits.tokens) is 100'
  await expect(client.call('instruct', { terminalId: 'term-2', text: 'again' })).rejects.toMatchObject({
    code: 'limit_reached',
    message: `${refusal}: nothing was typed.`,
  })
  await expect(below('term-2').call('spawn', { agent: 'quiet', ...now })).rejects.toMatchObject({
    code: 'limit_reached',
    message: `${refusal}: nothing was started.`,
  })
  expect(engine.pty(2).written).toBe(typed)
  await client.call('close', { terminalId: 'term-2' })
  await expect(below('term-1').call('create', { command: ['cat'] })).rejects.toMatchObject({ code: 'limit_reached' })
  await client.call('spawn', { agent: 'quiet', ...now })
})
