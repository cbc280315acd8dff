/** The OpenEnv door, as its clients use it: over a WebSocket, and over plain HTTP. */

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { Door } from './door.ts'

const config = `gym:
  openenv:
    environment:
      program: [python3, -q]
    environmentsMax: 2
`
let door: Door
let client: WireClient

beforeAll(async () => {
  door = await Door.open(config)
  client = await door.instance.rpc()
})

afterAll(async () => {
  assert.deepEqual(await door.instance.stop(), [])
})

const reset = (data: object = {}) => ({ type: 'reset', data })
const step = (data: object) => ({ type: 'step', data })
const error = (code: string) => ({ type: 'error', data: { code, message: expect.any(String) } })

async function environments(): Promise<number> {
  return (await client.call('environments', {})).environments.length
}

const folders = () => readdirSync(join(door.instance.paths.cacheFolder, 'gym')).filter((name) => /^env-/.test(name))

describe('a connection', () => {
  test('has its own environment: reset, stepped, inspected, and removed at its end', async () => {
    const one = await door.converse('/gym/openenv/ws')
    expect(await one.ask({ type: 'state' })).toEqual({
      type: 'state',
      data: expect.objectContaining({ episode_id: null, step_count: 0, environment_id: null }),
    })
    expect(await one.ask(reset({ seed: 7, episode_id: 'mine' }))).toMatchObject({
      type: 'observation',
      data: { observation: { text: '>>>' }, reward: null, done: false, metadata: { kind: 'repl', episode_id: 'mine' } },
    })
    expect(await one.ask(step({ text: '6 * 7' }))).toMatchObject({
      type: 'observation',
      data: {
        observation: { text: '42\n>>>', metadata: { state: 'ready', step: 1 } },
        reward: 0,
        done: false,
        terminated: false,
        truncated: false,
      },
    })
    expect(await one.ask(step({ type: 'send', text: '1', enter: true, metadata: {} }))).toMatchObject({
      data: { observation: { text: '1\n>>>' } },
    })
    expect(await one.ask(step({ action: '2' }))).toMatchObject({ data: { observation: { text: '2\n>>>' } } })
    expect(await one.ask({ type: 'state' })).toMatchObject({
      data: { episode_id: 'mine', step_count: 3, isolation: 'container', workdir: '/app' },
    })
    expect(await one.ask(step({ text: 'exit(3)' }))).toMatchObject({
      data: { done: true, terminated: true, truncated: false, reward: 0, metadata: { exit_code: 3 } },
    })
    expect(await one.ask(step({ text: '1' }))).toMatchObject(error('VALIDATION_ERROR'))
    expect(await one.ask(reset())).toMatchObject({ data: { done: false } })
    one.send({ type: 'close' })
    expect(await one.closed).toBe(1000)
    await until(() => folders().length === 0)
  })

  test('may request another environment within the settings, and unknown data is ignored', async () => {
    const one = await door.converse('/gym/openenv/ws')
    const first = await one.ask(reset({ program: ['cat'], maxEpisodeSteps: 1, prompt: 'Say hello.' }))
    expect(first).toMatchObject({ data: { observation: { text: '' }, metadata: { passed_over: ['prompt'] } } })
    expect(await one.ask(step({ text: 'hello' }))).toMatchObject({
      data: { observation: { text: expect.stringContaining('hello') }, done: true, terminated: false, truncated: true },
    })
    expect(await environments()).toBe(1)
    for (const refused of [{ files: '/etc' }, { isolation: 'none' }, { network: 'on' }, { layers: [] }])
      expect(await one.ask(reset(refused))).toMatchObject(error('VALIDATION_ERROR'))
    expect(await one.ask(reset({ rows: 'many' }))).toMatchObject({
      data: { code: 'VALIDATION_ERROR', errors: [{ loc: ['rows'] }] },
    })
    one.break()
    await until(async () => (await environments()) === 0)
  })

  test.each<[string, unknown, string]>([
    ['invalid JSON', '{', 'INVALID_JSON'],
    ['an unknown type', { type: 'mcp', data: {} }, 'UNKNOWN_TYPE'],
    ['a value that is not a message', [1], 'UNKNOWN_TYPE'],
    ['a message with an unknown field', { type: 'state', more: 1 }, 'VALIDATION_ERROR'],
    ['an action with an unknown field', step({ text: 'x', colour: 'red' }), 'VALIDATION_ERROR'],
    ['an empty action', step({}), 'VALIDATION_ERROR'],
    ['a negative seed', reset({ seed: -1 }), 'VALIDATION_ERROR'],
    ['a step before the first reset', step({ text: 'x' }), 'EXECUTION_ERROR'],
    ['a missing program', reset({ program: ['/no/such/program'] }), 'EXECUTION_ERROR'],
  ])('%s is refused with its code, and the connection continues', async (_what, message, code) => {
    const one = await door.converse('/gym/openenv/ws')
    expect(await one.ask(message)).toMatchObject(error(code))
    expect(await one.ask({ type: 'state' })).toMatchObject({ type: 'state' })
    one.break()
  })

  test('a failure of the machinery has no reward, and the next reset starts again', async () => {
    const one = await door.converse('/gym/openenv/ws')
    await one.ask(reset())
    one.send(step({ text: 'import time; time.sleep(100)' }))
    await until(async () => (await client.call('environments', {})).environments.some(({ step: at }) => at === 1))
    for (const { environmentId } of (await client.call('environments', {})).environments)
      await client.call('closeEnvironment', { environmentId })
    expect(await one.next()).toMatchObject({
      type: 'observation',
      data: { reward: null, done: true, truncated: true, metadata: { infra_error: { code: expect.any(String) } } },
    })
    expect(await one.ask(reset())).toMatchObject({ data: { observation: { text: '>>>' } } })
    one.break()
    await until(async () => (await environments()) === 0)
  })

  test('a running step ends with its client’s connection', async () => {
    const one = await door.converse('/gym/openenv/ws')
    await one.ask(reset())
    one.send(step({ text: 'import time; time.sleep(1000)' }))
    await until(async () => (await client.call('environments', {})).environments.some(({ step: at }) => at === 1))
    one.break()
    await until(() => folders().length === 0)
  })

  test('is closed when it keeps sending requests without reading answers', async () => {
    const one = await door.converse('/gym/openenv/ws')
    await one.ask(reset())
    one.send(step({ text: 'import time; time.sleep(1000)' }))
    for (let number = 0; number < 32; number++) one.send({ type: 'state' })
    // The close reason may not arrive: the connection is cut with unread messages.
    expect([1006, 1011]).toContain(await one.closed)
    await until(async () => (await environments()) === 0)
  })

  test('is refused at the limit of environments, and accepted after one has closed', async () => {
    const two = [await door.converse('/gym/openenv/ws'), await door.converse('/gym/openenv/ws')]
    const third = await door.converse('/gym/openenv/ws')
    expect(await third.next()).toEqual({
      type: 'error',
      data: { code: 'CAPACITY_REACHED', message: expect.any(String), active_sessions: 2, max_sessions: 2 },
    })
    await third.closed
    two[0]?.send({ type: 'close' })
    await two[0]?.closed
    const again = await door.converse('/gym/openenv/ws')
    expect(await again.ask(reset())).toMatchObject({ type: 'observation' })
    again.break()
    two[1]?.break()
    await until(async () => (await environments()) === 0)
  })

  test.each<[string, () => Record<string, string>, string]>([
    ['without a token', () => ({ authorization: '' }), '401'],
    ['with a wrong one', () => ({ authorization: 'Bearer wrong' }), '401'],
    ['from a page of elsewhere', () => ({ origin: 'https://evil.example' }), '403'],
    ['under a foreign name', () => ({ host: 'evil.example' }), '403'],
  ])('%s is refused', async (_how, headers, status) => {
    await expect(door.converse('/gym/openenv/ws', headers())).rejects.toThrow(status)
  })

  test('a client that takes only an address has the token in it', async () => {
    const authorization = `Basic ${Buffer.from(`token:${door.token}`).toString('base64')}`
    const one = await door.converse('/gym/openenv/ws', { authorization })
    expect(await one.ask({ type: 'state' })).toMatchObject({ type: 'state' })
    one.break()
    await expect(
      door.converse('/gym/openenv/ws', { authorization: `Basic ${Buffer.from('token:wrong').toString('base64')}` }),
    ).rejects.toThrow('401')
  })
})

describe('requests without a connection', () => {
  const at = (path: string, body?: unknown) => door.ask(`/gym/openenv${path}`, body)

  test('share one environment, from a reset over its steps until it is closed', async () => {
    expect(await at('/step', { action: { text: '1' } })).toMatchObject({
      status: 500,
      body: { error: { code: 'EXECUTION_ERROR' } },
    })
    expect(await at('/reset', {})).toMatchObject({
      status: 200,
      body: { observation: { text: '>>>' }, reward: null, done: false },
    })
    expect(await at('/step', { action: { text: 'x = 5' }, timeout_s: 30 })).toMatchObject({ status: 200 })
    const slow = await at('/step', { action: { text: 'import time; time.sleep(5)' }, timeout_s: 0.3 })
    expect(slow).toMatchObject({ body: { observation: { metadata: { state: 'busy' } } } })
    expect(await at('/step', { action: { type: 'keys', keys: ['ctrl+c'] } })).toMatchObject({ status: 200 })
    const [seen, other] = await Promise.all([at('/step', { action: 'x' }), at('/step', { action: 'x + 1' })])
    expect([seen, other].map(({ body }) => body)).toMatchObject([
      { observation: { text: '5\n>>>' }, reward: 0, done: false },
      { observation: { text: '6\n>>>' } },
    ])
    expect(await at('/state')).toMatchObject({ body: { step_count: 5, episode_id: expect.any(String) } })
    expect(await at('/close', {})).toMatchObject({ status: 200 })
    expect(await environments()).toBe(0)
    expect(await at('/state')).toMatchObject({ body: { step_count: 0, episode_id: null } })
  })

  test('simultaneous resets make one environment', async () => {
    const answers = await Promise.all([at('/reset', {}), at('/reset', {}), at('/reset', { seed: 1 })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await environments()).toBe(1)
    await at('/close', {})
  })

  test('report errors', async () => {
    expect(await at('/step', {})).toMatchObject({ status: 422, body: { detail: [{ loc: ['action'] }] } })
    expect(await at('/reset', { seed: 'x' })).toMatchObject({ status: 422, body: { detail: [{ loc: ['seed'] }] } })
    expect(await at('/reset')).toMatchObject({ status: 405 })
    expect(await at('/other', {})).toMatchObject({ status: 404 })
    const broken = await fetch(`${door.url}/gym/openenv/reset`, {
      method: 'POST',
      headers: { authorization: `Bearer ${door.token}` },
      body: '{',
    })
    expect(broken.status).toBe(400)
  })

  test('list what is available', async () => {
    expect(await at('/metadata')).toMatchObject({
      status: 200,
      body: { name: 'agentpty', version: expect.any(String) },
    })
    const { body } = await at('/schema')
    expect(Object.keys(body)).toEqual(['action', 'observation', 'state'])
    expect(body).toMatchObject({ observation: { properties: { text: {} } }, state: { properties: { step_count: {} } } })
    const open = await fetch(`${door.url}/gym/openenv/health`)
    expect([open.status, await open.json()]).toEqual([200, { status: 'healthy' }])
    const closed = await fetch(`${door.url}/gym/openenv/schema`)
    expect(closed.status).toBe(401)
  })

  test('a token limited to its own terminals creates no environments', async () => {
    const { stdout } = await door.instance.cli('token', '--scope', 'bounded')
    const authorization = `Bearer ${stdout.trim().split('\n').at(-1)}`
    expect(await door.ask('/gym/openenv/reset', {}, { authorization })).toMatchObject({ status: 403 })
    await expect(door.converse('/gym/openenv/ws', { authorization })).rejects.toThrow('401')
  })
})

test('the shared environment is closed when unused', async () => {
  const idle = await Door.open('gym:\n  openenv:\n    idleMs: 1\n')
  expect(await idle.ask('/gym/openenv/reset', {})).toMatchObject({ status: 200 })
  const asking = await idle.instance.rpc()
  await until(async () => (await asking.call('environments', {})).environments.length === 0)
  assert.deepEqual(await idle.instance.stop(), [])
})

test('without the setting the door is closed', async () => {
  const shut = await Door.open('')
  expect(await shut.ask('/gym/openenv/health')).toMatchObject({ status: 404 })
  // Without the door, its path is answered like any other.
  await expect(shut.converse('/gym/openenv/ws')).rejects.toThrow('404')
  assert.deepEqual(await shut.instance.stop(), [])
})

test('a task’s environment contains the instruction, and its last step the verifier’s reward', async () => {
  const judging = await Door.open('gym:\n  openenv:\n    environment:\n      task: tty-30/drained-stdin\n')
  const one = await judging.converse('/gym/openenv/ws')
  const about = { name: 'agentpty/drained-stdin', instruction: expect.stringContaining('terminal') }
  expect(await one.ask(reset())).toMatchObject({ data: { metadata: { task: about } } })
  expect(await one.ask(step({ type: 'finish' }))).toMatchObject({
    data: { reward: 0, done: true, metadata: { rewards: { reward: 0 } } },
  })
  assert.deepEqual(await judging.instance.stop(), [])
})
