/**
 * Transcripts that real programs wrote. Each was instructed to give the same answer three times, also in a fork and in
 * a continued conversation.
 */

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseShape, LinesShape } from '@agentpty/protocol/agents'
import { rosterRow } from '@agentpty/protocol/agents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fencesOf } from '../fences.ts'
import { begunConversations } from './begun-conversations.ts'
import { DatabaseFile } from './database/database-file.ts'
import { DatabaseTranscript } from './database-transcript.ts'
import { FilesTranscript } from './files-transcript.ts'
import type { Transcript } from './transcript.ts'

const recorded = join(dirname(fileURLToPath(import.meta.url)), 'recorded')
const always = { since: 0, until: Number.POSITIVE_INFINITY }
/** The text from the model: a table row of more than 300 columns, trailing blanks, and Markdown. */
const row = Array.from({ length: 75 }, (_, index) => String(1000 + index)).join('')
const table = `| ${row} | b |\n|---|---|\n| 1 | 2 |\n\`\`\`js\nconst a = 1   \n\n\tb\n\`\`\`\n**bold** end`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-recorded-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(name: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  copyFileSync(join(recorded, name), join(folder, path))
}

function files(name: 'claude' | 'codex' | 'gemini' | 'copilot' | 'opencode', id: string, time = always): Transcript {
  return new FilesTranscript(rosterRow(name).agent.transcripts as LinesShape, { folder, id, time })
}

const answerOf = async (transcript: Transcript, nonce: string) => {
  expect(await transcript.look()).toBe(true)
  return transcript.answer(fencesOf(nonce))
}
/** Its task, by the request for fences in it. */
const nonceIn = (name: string, which: number) =>
  [
    ...new Set(
      [...readFileSync(join(recorded, name), 'utf8').matchAll(/line BEGIN-RESPONSE-(\w+)/g)].map(([, nonce]) => nonce),
    ),
  ][which] ?? ''

const programs = [
  [
    'claude',
    'claude.jsonl',
    'projects/-w-shop/{id}.jsonl',
    '3dcd5b1c-aeec-4939-8471-3687ffe719b0',
    'claude-opus-5-5',
    '11111 141',
  ],
  [
    'codex',
    'codex.jsonl',
    'sessions/2026/11/23/rollout-2026-11-23T15-10-48-{id}.jsonl',
    '01a208f5-aef7-7141-aded-c96b9d6ac38c',
    'gpt-5.5',
    '6111 91',
  ],
  [
    'gemini',
    'gemini.jsonl',
    'tmp/work/chats/session-2026-11-23T15-11-71f568e2.jsonl',
    '71f568e2-0933-4289-8b08-dd82fa0cc7e4',
    'gemini-3.1-pro-preview',
    '11111 141',
  ],
  [
    'copilot',
    'copilot.jsonl',
    'session-state/{id}/events.jsonl',
    '2ec21989-4bc0-4143-bca7-db3775d73e65',
    'scripted-model',
    '11111 141',
  ],
] as const

test.each(programs)('the transcript of %s has each answer to the letter, and what was used', async (...program) => {
  const [name, file, path, id, model, used] = program
  put(file, path.replace('{id}', id))
  const transcript = files(name, id)
  expect(await answerOf(transcript, nonceIn(file, 0))).toBe(table)
  expect(await answerOf(transcript, nonceIn(file, 1))).toBe('It was named.')
  expect(await answerOf(transcript, 'othertsk')).toBeNull()
  expect(transcript.usage).toMatchObject({ cached: 0, models: [model] })
  expect(`${transcript.usage?.input} ${transcript.usage?.output}`).toBe(used)
})

test.each(programs)('the last message of %s is read, and none from before a time', async (name, file, path, id) => {
  put(file, path.replace('{id}', id))
  const transcript = files(name, id)
  await transcript.look()
  const message = await transcript.lastMessage(0)
  expect(message?.text).toContain('END-RESPONSE-')
  expect(await transcript.lastMessage(message?.at ?? 0)).toEqual(message)
  expect(await transcript.lastMessage((message?.at ?? 0) + 1)).toBeNull()
})

test('a cost is reported only where the program reports one', async () => {
  put('claude.jsonl', 'projects/-w-shop/3dcd5b1c-aeec-4939-8471-3687ffe719b0.jsonl')
  const claude = files('claude', '3dcd5b1c-aeec-4939-8471-3687ffe719b0')
  await claude.look()
  expect(claude.usage?.costUsd).toBeCloseTo(0.026264, 6)
  put('copilot.jsonl', 'session-state/2ec21989-4bc0-4143-bca7-db3775d73e65/events.jsonl')
  const copilot = files('copilot', '2ec21989-4bc0-4143-bca7-db3775d73e65')
  await copilot.look()
  expect(copilot.usage?.costUsd).toBeNull()
})

test('a fork of Codex has used what it has used itself, though its totals begin with those of the other', async () => {
  put('codex-fork.jsonl', 'sessions/2026/11/23/rollout-2026-11-23T15-10-53-01a208f5-c326-72b2-b31f-5803639afaa5.jsonl')
  const fork = files('codex', '01a208f5-c326-72b2-b31f-5803639afaa5')
  await fork.look()
  expect(fork.usage).toMatchObject({ input: 5_000, output: 50 })
})

test('messages that Gemini CLI writes again count once', async () => {
  put('gemini-anew.jsonl', 'tmp/work/chats/session-2026-11-23T14-45-a6d70580.jsonl')
  const transcript = files('gemini', 'a6d70580-466a-4971-9257-d7c67b9bd720')
  expect(await answerOf(transcript, nonceIn('gemini-anew.jsonl', 1))).toBe('It was named.')
  expect(transcript.usage).toMatchObject({ input: 5_111, output: 61 })
})

test('a conversation of Gemini CLI that goes on at another minute is read in the file into which it writes', async () => {
  put('gemini.jsonl', 'tmp/work/chats/session-2026-11-23T15-11-71f568e2.jsonl')
  const id = '71f568e2-0933-4289-8b08-dd82fa0cc7e4'
  const transcript = files('gemini', id)
  expect(await answerOf(transcript, nonceIn('gemini.jsonl', 0))).toBe(table)
  const [begins] = readFileSync(join(recorded, 'gemini.jsonl'), 'utf8').split('\n')
  writeFileSync(join(folder, 'tmp/work/chats/session-2026-11-23T15-12-71f568e2.jsonl'), `${begins}\n`)
  for (const one of [transcript, files('gemini', id)]) {
    expect(await answerOf(one, nonceIn('gemini.jsonl', 1))).toBe('It was named.')
    expect(one.usage).toMatchObject({ input: 11_111, output: 141 })
  }
})

const opencode = rosterRow('opencode').agent.transcripts as DatabaseShape
const [first, fork] = ['ses_df7099d22ffeDa5M5Z7Z1fBoWU', 'ses_df7096bd2ffe2XN4mzh5L0kTF1'] as const
function database(id: string, time = always): DatabaseTranscript {
  put('opencode.db', 'opencode.db')
  put('opencode.db-wal', 'opencode.db-wal')
  return new DatabaseTranscript(new DatabaseFile(join(folder, 'opencode.db')), opencode, { id, time })
}

test('the database of opencode has each answer to the letter, and what was used, with what is in its log only', async () => {
  const transcript = database(first)
  expect(await answerOf(transcript, 'pcrvr8se')).toBe(table)
  expect(await answerOf(transcript, 'skn3acts')).toBe('It was named.')
  expect(await answerOf(transcript, 'othertsk')).toBeNull()
  expect(transcript.usage).toEqual({ input: 11_111, output: 141, cached: 0, costUsd: null, models: ['scripted-model'] })
})

test('the last message in the database of opencode is read, and none from before a time', async () => {
  const transcript = database(first)
  await transcript.look()
  const message = await transcript.lastMessage(0)
  expect(message?.text).toContain('END-RESPONSE-')
  expect(await transcript.lastMessage(message?.at ?? 0)).toEqual(message)
  expect(await transcript.lastMessage((message?.at ?? 0) + 1)).toBeNull()
})

test('what was used before an agent began, or after another has gone on with its conversation, is not its own', async () => {
  const begun = 1_795_446_707_000
  const forked = database(fork, { since: begun, until: Number.POSITIVE_INFINITY })
  await forked.look()
  expect(forked.usage).toMatchObject({ input: 5_000, output: 50 })
  const before = database(first, { since: 0, until: begun })
  await before.look()
  expect(before.usage).toMatchObject({ input: 6_111, output: 91 })
})

test('the conversation of an agent is the one that has its task', async () => {
  database(first)
  const begun = { folder, cwd: '/w/shop', startedAt: 0, nonce: 'nothing0' }
  const found = await begunConversations(opencode, begun)
  expect(found).toEqual([fork, first].map((id) => ({ id, hasTask: false })))
  put('codex.jsonl', 'sessions/2026/11/23/rollout-2026-11-23T15-10-48-01a208f5-aef7-7141-aded-c96b9d6ac38c.jsonl')
  const nonce = nonceIn('codex.jsonl', 1)
  expect(await begunConversations(rosterRow('codex').agent.transcripts as LinesShape, { ...begun, nonce })).toEqual([
    { id: '01a208f5-aef7-7141-aded-c96b9d6ac38c', hasTask: true },
  ])
  expect(await begunConversations(opencode, { ...begun, cwd: '/elsewhere' })).toEqual([])
})
