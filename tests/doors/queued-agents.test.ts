/** Agents that wait for others, when the daemon ends meanwhile: the next daemon continues with them. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

type Args = Readonly<Record<string, unknown>>
type Result = Readonly<Record<string, unknown>>

let instance: Instance
let client: Client
let tiny: string
/** Each agent writes a line at its start. */
const starts = () => readFileSync(join(instance.user, 'starts'), 'utf8').trim().split('\n')
const openGate = () => writeFileSync(join(instance.user, 'gate'), 'go\n')
const left = () => readdirSync(instance.paths.queuedAgents)

beforeEach(async () => {
  instance = scratchInstance()
  tiny = join(instance.user, 'tiny')
  const gate = join(instance.user, 'gate')
  execFileSync('mkfifo', [gate])
  const program = `#!/bin/sh
echo start >> ${join(instance.user, 'starts')}
printf 'agent> '
while IFS= read -r task; do
  case "$task" in hold*) cat ${gate} > /dev/null ;; esac
  printf '[termtile-response]\\ndone: %s\\n[/termtile-response]\\nagent> ' "$task"
done
`
  writeFileSync(tiny, program, { mode: 0o755 })
  client = await instance.door('agents')
})

async function answered(name: string, args: Args = {}): Promise<Result> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
  assert.notEqual(isError, true, JSON.stringify(content))
  return structuredContent as Result
}

const spawn = (task?: string, more: Args = {}) => answered('spawn_agent', { agent_type: tiny, task, ...more })
const listed = async () => (await answered('list_agents'))['agents'] as readonly Result[]

async function killDaemon(): Promise<void> {
  await instance.killDaemon()
  client = await instance.door('agents')
}

test.each([
  ['is killed', killDaemon],
  [
    'is stopped',
    async () => {
      await instance.cli('stop')
      client = await instance.door('agents')
    },
  ],
])('a waiting agent is started once by the next daemon, with the answers, when the daemon %s', async (_how, end) => {
  await spawn('hold this')
  await spawn('sum of {{slot_0.output}}', { depends_on: [0], queue: true })
  await spawn('{{termtile-default-1.output}}', { name: 'last', depends_on: [1], queue: true })
  await end()
  expect(await listed()).toMatchObject([
    { slot: 0, state: 'working' },
    { slot: 1, state: 'queued', waits_for: ['termtile-default-0'] },
    { id: 'last', state: 'queued' },
  ])
  openGate()
  expect(await answered('wait_for_idle', { slot: 1 })).toMatchObject({
    state: 'idle',
    output: expect.stringMatching(/^done: sum of .* done: hold this /),
  })
  expect(await answered('wait_for_idle', { id: 'last' })).toMatchObject({ state: 'idle' })
  await until(() => left().length === 0)
  await killDaemon()
  expect(await listed()).toHaveLength(3)
  expect(starts()).toHaveLength(3)
})

test('an agent whose terminal an earlier daemon has opened gets its task, and no second terminal', async () => {
  const { id } = await spawn('first')
  await answered('wait_for_idle', { id })
  await spawn('hold')
  await spawn('mine: {{slot_0.output}}', { name: 'own', depends_on: [0, 1], queue: true })
  const file = join(instance.paths.queuedAgents, 'own.json')
  const saved = JSON.parse(readFileSync(file, 'utf8'))
  await instance.cli('stop')
  // As if the daemon had ended between the two.
  const rpc = await instance.rpc()
  client = await instance.door('agents')
  await answered('kill_agent', { id: 'own' })
  await rpc.call('spawn', { agent: tiny, name: 'own' })
  await instance.cli('stop')
  writeFileSync(file, JSON.stringify({ ...saved, state: 'starting' }), { mode: 0o600 })
  openGate()
  client = await instance.door('agents')
  await until(async () => left().length === 0)
  expect(await answered('wait_for_idle', { id: 'own' })).toMatchObject({
    state: 'idle',
    output: expect.stringContaining('done: first'),
  })
  expect(starts()).toHaveLength(3)
})

test('an agent that cannot continue is shown as failed, with the reason, until it is cancelled', async () => {
  const { id } = await spawn('hold')
  await spawn('x', { name: 'orphan', depends_on: [0], queue: true })
  await instance.cli('stop')
  const rpc = await instance.rpc()
  await rpc.call('close', { terminalId: String(id) })
  client = await instance.door('agents')
  await until(async () => (await listed())[0]?.['state'] === 'failed')
  const orphan = { id: 'orphan', state: 'failed', error: expect.stringContaining('is not alive (killed)') }
  expect(await listed()).toMatchObject([orphan])
  await killDaemon()
  expect(await listed()).toMatchObject([orphan])
  expect(await answered('kill_agent', { id: 'orphan' })).toEqual({ id: 'orphan', killed: true })
  expect(left()).toEqual([])
})

test('an agent of a scope is started under it, and not after its token was revoked', async () => {
  const { stdout } = await instance.cli('token', '--scope', 'guest')
  const token = stdout.trim()
  const call = async (tool: string, args: Args) => {
    const guest = await instance.rpc({}, { token })
    const { text, isError } = await guest.tools.call('agents', tool, args as never)
    assert.notEqual(isError, true, text)
    return JSON.parse(text) as Result
  }
  await call('spawn_agent', { agent_type: tiny, task: 'hold' })
  await call('spawn_agent', { agent_type: tiny, task: 'x', depends_on: [0], queue: true })
  await instance.cli('stop')
  await instance.rpc()
  openGate()
  await call('wait_for_idle', { slot: 1 })
  expect(await call('list_agents', {})).toMatchObject({ agents: [{ slot: 0 }, { slot: 1, state: 'idle' }] })
  await call('send_to_agent', { slot: 1, text: 'hold' })
  await call('spawn_agent', { agent_type: tiny, task: 'y', name: 'late', depends_on: [1], queue: true })
  await instance.cli('stop')
  await instance.cli('token', '--revoke', 'guest')
  openGate()
  client = await instance.door('agents')
  const late = { id: 'late', state: 'failed', error: expect.stringContaining('was revoked or has expired') }
  await until(async () => (await listed()).some(({ state }) => state === 'failed'))
  expect(await listed()).toContainEqual(expect.objectContaining(late))
  expect(starts()).toHaveLength(2)
})

test('its slot is not assigned again, through any door', async () => {
  const termtile = await instance.door('termtile')
  const opened = async () => {
    const { structuredContent } = await termtile.callTool({ name: 'spawn_agent', arguments: { agent_type: tiny } })
    return structuredContent as Result
  }
  await spawn('hold')
  await spawn('x', { depends_on: [0], queue: true })
  expect(await opened()).toMatchObject({ slot: 2 })
  expect(await spawn('y', { depends_on: [0], queue: true })).toMatchObject({ slot: 3, state: 'queued' })
  const both = await Promise.all([opened(), spawn('z', { depends_on: [0], queue: true }), opened(), spawn()])
  expect(both.map(({ slot }) => slot).toSorted()).toEqual([4, 5, 6, 7])
  const { content } = await client.callTool({
    name: 'spawn_agent',
    arguments: { agent_type: tiny, name: 'termtile-default-1' },
  })
  expect(JSON.stringify(content)).toContain('An agent termtile-default-1 is queued already.')
  openGate()
  expect(await answered('wait_for_idle', { slot: 1 })).toMatchObject({ state: 'idle', output: 'done: x' })
})
