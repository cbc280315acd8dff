/** Forks and resumed agents, in an engine whose terminals belong to the test. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Adapter, LinesShape } from '@agentpty/protocol/agents'
import { adapterOfCommand } from '@agentpty/protocol/testing'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openFakeEngine, pass } from '../fake-engine.ts'
import { begunConversations } from './transcripts/begun-conversations.ts'

const transcripts: LinesShape = {
  kind: 'lines',
  folder: { variable: 'TALKER_HOME', below: '', otherwise: '.talker' },
  file: '**/talk-*{id}.jsonl',
  helpers: null,
  marks: ['said'],
  lists: [],
  at: 'at',
  rules: [{ where: { type: 'said' }, text: 'text', used: { counts: 'each', input: ['input'], output: ['output'] } }],
}
const talker: Adapter = {
  ...adapterOfCommand('talker', ['talker']),
  modelFlag: '--model',
  transcripts,
  conversations: { begin: ['--id', '{id}'], resume: ['--resume', '{id}'], fork: ['--fork', '{id}', '--in', '{cwd}'] },
}
const silent: Adapter = {
  ...adapterOfCommand('silent', ['silent']),
  conversations: { begin: null, resume: ['resume', '{id}'], fork: null },
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentpty-talk-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

function open() {
  const engine = openFakeEngine({}, undefined, { adapters: () => [talker, silent] })
  onTestFinished(pass(engine.clock))
  return { ...engine, client: engine.clientOf({ env: { SHELL: '/bin/sh', HOME: home } }) }
}

const now = { waitTimeoutMs: 0 } as const

test('a fork is started as the other was, from its conversation, with one of its own', async () => {
  const { client } = open()
  await client.call('spawn', { agent: 'talker', model: 'large', cwd: home, ...now })
  const [{ conversation: first } = { conversation: '' }] = (await client.call('agents', {})).agents
  const forked = await client.call('fork', { terminalId: 'term-1', ...now })
  expect(forked).toMatchObject({ terminal: { terminalId: 'term-2', cwd: home }, worktree: null })
  expect(forked.conversation).not.toBe(first)
  const { terminals } = await client.call('list', {})
  expect(terminals[1]?.command).toBe(
    `talker --model large --fork ${first} --in ${home} --id ${String(forked.conversation)}`,
  )
})

test('an agent that has ended goes on in its conversation, under its name, when its terminal is gone', async () => {
  const { client } = open()
  await client.call('spawn', { agent: 'talker', name: 'review', cwd: home, ...now })
  await expect(client.call('resume', { agentId: 'review', ...now })).rejects.toMatchObject({
    message: 'review has not ended.',
  })
  const [{ conversation } = { conversation: '' }] = (await client.call('agents', {})).agents
  await client.call('close', { terminalId: 'review' })
  const { terminal } = await client.call('resume', { agentId: 'review', ...now })
  expect(terminal).toMatchObject({ terminalId: 'term-2', name: 'review', cwd: home })
  expect((await client.call('list', {})).terminals[0]?.command).toBe(`talker --resume ${conversation}`)
})

test('what a program cannot is refused with what can be done', async () => {
  const { client } = open()
  await client.call('spawn', { agent: 'silent', cwd: home, ...now })
  const fork = { terminalId: 'term-1', conversation: 'c-1', ...now }
  await expect(client.call('fork', fork)).rejects.toMatchObject({
    message: 'The agent silent cannot begin a new conversation from another.',
    hint: expect.stringContaining('agentpty agent resume'),
  })
  await client.call('close', { terminalId: 'term-1' })
  await expect(client.call('resume', { agentId: 'term-1', ...now })).rejects.toMatchObject({
    message: 'The conversation of term-1 is not known.',
  })
  await expect(client.call('resume', { agentId: 'other', ...now })).rejects.toMatchObject({
    code: 'session_not_found',
    hint: 'Agents that have ended: term-1 (silent).',
  })
  await client.call('create', { command: ['cat'], waitFor: 'none' })
  await expect(client.call('fork', { terminalId: 'term-2', ...now })).rejects.toMatchObject({
    message: expect.stringContaining('was not started as an agent'),
  })
})

test('a caller with a scope resumes no agent of others, even when its terminal is gone', async () => {
  const engine = open()
  await engine.client.call('spawn', { agent: 'talker', name: 'theirs', cwd: home, ...now })
  await engine.client.call('close', { terminalId: 'theirs' })
  const scoped = engine.clientOf({ client: 'a', scope: { id: 'a', name: 'a', holds: () => true } })
  await expect(scoped.call('resume', { agentId: 'theirs' })).rejects.toMatchObject({
    code: 'session_not_found',
    hint: 'No agent has ended.',
  })
})

const idOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`
function write(name: string, id: string, text: string): void {
  mkdirSync(join(home, '.talker', '2026', '01'), { recursive: true })
  writeFileSync(join(home, '.talker', '2026', '01', `${name}-${id}.jsonl`), `${text}\n`)
}

test('the conversation of a program that names it itself is found by its transcript', async () => {
  write('talk-2026', idOf('1'), '{"cwd":"/w"}')
  write('talk-2026', idOf('2'), '{"cwd":"/other"}')
  write('talk-2026', idOf('4'), '{"cwd":"/w"}\n{"asked":"between BEGIN-RESPONSE-abcdefgh and"}')
  write('note', idOf('3'), '{"cwd":"/w"}')
  const begun = { folder: join(home, '.talker'), cwd: '/w', startedAt: 0, nonce: 'abcdefgh' }
  expect(await begunConversations(transcripts, begun)).toEqual([
    { id: idOf('4'), hasTask: true },
    { id: idOf('1'), hasTask: false },
  ])
  expect(await begunConversations(transcripts, { ...begun, startedAt: Number.MAX_SAFE_INTEGER })).toEqual([])
  expect(await begunConversations(transcripts, { ...begun, folder: '/nowhere' })).toEqual([])
})

test('of several conversations that were begun in its folder, the one that has its task is the agent’s', async () => {
  const own: Adapter = { ...talker, name: 'chooser', conversations: { ...talker.conversations, begin: null } }
  const engine = openFakeEngine({}, undefined, { adapters: () => [own] })
  onTestFinished(pass(engine.clock))
  const other = engine.clientOf({ env: { SHELL: '/bin/sh', HOME: home } })
  await other.call('spawn', { agent: 'chooser', cwd: home, ...now })
  engine.pty(1).prints('\x1b]7501;state=idle:app=x\x07')
  await other.call('instruct', { terminalId: 'term-1', text: 'count', asksForAnswer: true })
  const nonce = /BEGIN-RESPONSE-(\w+)/.exec(engine.pty(1).written)?.[1] ?? ''
  write('talk-2026', idOf('1'), JSON.stringify({ cwd: home }))
  write('talk-2026', idOf('2'), `${JSON.stringify({ cwd: home })}\n{"asked":"between BEGIN-RESPONSE-${nonce} and"}`)
  await other.call('close', { terminalId: 'term-1' })
  const { conversation } = await other.call('resume', { agentId: 'term-1', ...now })
  expect(conversation).toBe(idOf('2'))
})
