/** The verbs of agents, in an engine whose terminals belong to the test. */

import { adapterOfCommand, type FakeClock } from '@agentpty/protocol/testing'
import type { VerbInput, VerbName, VerbOutput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { openFakeEngine } from '../fake-engine.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const
/** A fresh verdict takes a moment of the test's clock. */
async function inTime<Result>(clock: FakeClock, call: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = call.finally(() => {
    isOver = true
  })
  while (!isOver) {
    clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return over
}

const status = (state: string) => `\x1b]7501;state=${state}:app=x\x07`

/** Two agents at work. */
async function openAgents() {
  const engine = openFakeEngine()
  for (const number of [1, 2]) {
    await engine.client.call('create', { command: [`agent-${number}`], ...quick })
    engine.pty(number).prints(status('working'))
  }
  const waiting = engine.client.call('awaitAgents', { terminalIds: ['term-1', 'term-2'] })
  return { ...engine, waiting }
}

test('a wait for agents lasts until all of them have finished', async () => {
  const { pty, clock, waiting } = await openAgents()
  let isOver = false
  void waiting.then(() => {
    isOver = true
  })
  pty(1).exits({ code: 0 })
  clock.advance(5_000)
  expect(isOver).toBe(false)
  pty(2).exits({ code: 1 })
  expect(await waiting).toEqual({
    agents: [
      { terminalId: 'term-1', outcome: 'finished', cursor: expect.any(Number), state: 'exited', exitCode: 0 },
      { terminalId: 'term-2', outcome: 'finished', cursor: expect.any(Number), state: 'exited', exitCode: 1 },
    ],
  })
})

test('the wait for agents ends when a signal ends one of them', async () => {
  const { pty, waiting } = await openAgents()
  pty(2).exits({ code: null, signal: 'SIGKILL' })
  expect(await waiting).toMatchObject({
    agents: [{ terminalId: 'term-1' }, { outcome: 'finished', signal: 'SIGKILL' }],
  })
  expect((await waiting).agents[0]).not.toHaveProperty('outcome')
})

test('an agent that has closed the fences of its answer has finished, whatever it still draws, and is so when asked again', async () => {
  const { call, pty } = openTimed()
  await call('create', { command: ['agent'], ...quick })
  pty(1).prints(status('idle'))
  await call('instruct', { terminalId: 'term-1', text: 'count', asksForAnswer: true })
  const typed = pty(1).written
  const [open = '', close = ''] = ['BEGIN', 'END'].map(
    (word) => new RegExp(`${word}-RESPONSE-\\w+`).exec(typed)?.[0] ?? '',
  )
  pty(1).prints(`${status('working')}put it between ${open} and ${close}\r\n`)
  const early = await call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 200 })
  expect(early).toMatchObject({ agents: [{ outcome: 'timeout' }] })
  const waiting = call('awaitAgents', { terminalIds: ['term-1'] })
  pty(1).prints(`${open}\r\n42\r\n${close}\r\nthinking`)
  const finished = { agents: [{ outcome: 'finished', state: 'busy' }] }
  expect(await waiting).toMatchObject(finished)
  expect(await call('awaitAgents', { terminalIds: ['term-1'] })).toMatchObject(finished)
  pty(1).prints('\x1b[2J\x1b[H')
  const { artifact } = await call('artifact', { terminalId: 'term-1', capture: 'answer' })
  expect(artifact).toMatchObject({ output: '42', source: 'fences' })
})

test('an agent that shows nothing of its task yet has not finished it, for as long as it may still begin', async () => {
  const { call, pty } = openTimed()
  await call('create', { command: ['agent'], ...quick })
  pty(1).prints(status('idle'))
  await call('instruct', { terminalId: 'term-1', text: 'count', asksForAnswer: true })
  // It reports what it reported before.
  const early = await call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 5_000 })
  expect(early).toMatchObject({ agents: [{ outcome: 'timeout', state: 'ready', confidence: 'low' }] })
  const late = await call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 20_000 })
  expect(late).toMatchObject({ agents: [{ outcome: 'finished' }] })
})

test('an agent that asks something first is instructed after the answer, and has not finished before', async () => {
  const { call, pty } = openTimed()
  const blocked = `${status('blocked')}Do you trust this folder?`
  const spawned = call('spawn', { command: ['agent'], instruction: 'count', atDialog: 'wait', waitTimeoutMs: 0 })
  pty(1).prints(blocked)
  const { notInstructed } = await spawned
  expect(notInstructed).toMatch(/dialog.* It is instructed after the answer\.$/)
  const waited = await call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 100 })
  expect([waited.agents[0]?.outcome, pty(1).written]).toEqual(['asks', ''])
  const waiting = call('awaitAgents', { terminalIds: ['term-1'] })
  pty(1).prints(status('idle'))
  while (!pty(1).written.includes('count')) await call('list', {})
  pty(1).prints(status('working'))
  pty(1).prints(status('done'))
  expect(await waiting).toMatchObject({ agents: [{ outcome: 'finished' }] })
})

test('a terminal that is not there is gone for those who depend on it', async () => {
  const { client } = openFakeEngine()
  expect(await client.call('awaitAgents', { terminalIds: ['term-7'] })).toEqual({
    agents: [{ terminalId: 'term-7', outcome: 'gone' }],
  })
})

test('one that is closed when its time is over says so to those who wait for it, and stays in the lineage', async () => {
  const { client, clientOf, clock } = openFakeEngine()
  const of = (id: string) => clientOf({ scope: { id, name: id, holds: () => true } })
  await of('a').call('create', { command: ['agent'], name: 'short', limits: { wallMinutes: 10 }, ...quick })
  clock.advance(9.9 * 60_000)
  const open = of('a').call('awaitAgents', { terminalIds: ['short'], waitTimeoutMs: 50_000 })
  clock.advance(7_000)
  const why = 'closed after 10 min, when its time was over (agents.limits.wallMinutes)'
  expect((await open).agents).toMatchObject([{ terminalId: 'short', outcome: 'gone', why }])
  expect((await client.call('awaitAgents', { terminalIds: ['term-1'] })).agents).toEqual([
    { terminalId: 'term-1', outcome: 'gone', why },
  ])
  expect((await of('b').call('awaitAgents', { terminalIds: ['term-1'] })).agents).toEqual([
    { terminalId: 'term-1', outcome: 'gone' },
  ])
  const stays = { nodeId: 'node-term-1', label: 'short', status: 'stopped', summary: why }
  for (const by of [client, of('a'), client]) expect((await by.call('lineage', {})).nodes).toMatchObject([stays])
  expect((await of('b').call('lineage', {})).nodes).toEqual([])
})

test('agents that are at work when the time is over are reported as working', async () => {
  const { client, clock } = openFakeEngine()
  await client.call('create', { command: ['agent'], ...quick })
  const waiting = client.call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 1_000 })
  clock.advance(1_000)
  expect(await waiting).toMatchObject({ agents: [{ outcome: 'timeout' }] })
})

function openTimed() {
  const { client, clock, pty } = openFakeEngine()
  const call = <Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    context: Parameters<typeof client.call>[2] = {},
  ): Promise<VerbOutput<Name>> => inTime(clock, client.call(name, input, context))
  return { call, pty }
}

test('an artifact is what was captured last, by whichever name its terminal is given', async () => {
  const { call, pty } = openTimed()
  await call('create', { name: 'writer', command: ['agent'], ...quick })
  expect(await call('artifact', { terminalId: 'writer' })).toEqual({ artifact: null })
  pty(1).prints('<a>\r\nfirst\r\n</a>\r\nsecond\r\n')
  // The test's clock passes the time that a screenshot waits for a first screen.
  let behindBytes: number | undefined = 1
  while (behindBytes !== undefined) behindBytes = (await call('screenshot', { terminalId: 'writer' })).behindBytes
  const fences = { open: '<a>', close: '</a>' }
  const captured = await call('artifact', { terminalId: 'writer', capture: 'answer', fences })
  expect(captured).toMatchObject({ artifact: { output: 'first', originalBytes: 5 } })
  expect(await call('artifact', { terminalId: 'term-1' })).toEqual(captured)
  const screen = await call('artifact', { terminalId: 'term-1', capture: 'screen', lines: 2 })
  expect(screen.artifact?.output).toBe('</a>\nsecond')
})

test('an agent is named by its label where that can be a name and none has it', async () => {
  const { call } = openTimed()
  const open = (label: string) => call('spawn', { command: ['agent'], label, waitTimeoutMs: 0 })
  const names = [await open('fix it!'), await open('fix it!'), await open('term-9')].map(
    ({ terminal }) => terminal?.name,
  )
  expect(names).toEqual(['fix-it', undefined, undefined])
  const { nodes } = await call('lineage', {})
  expect(nodes.map(({ label }) => label)).toEqual(['fix it!', 'fix it!', 'term-9'])
})

test('a subtree is stopped, and one of its agents is started again in its node', async () => {
  const { call } = openTimed()
  await call('spawn', { command: ['agent'], label: 'lead', waitTimeoutMs: 0 })
  const env = { AGENTPTY_TERMINAL: 'term-1' }
  await call('spawn', { command: ['agent'], label: 'tester', waitTimeoutMs: 0 }, { env })
  expect(await call('stopLineage', { nodeId: 'term-1', nodes: 'keep' })).toEqual({
    nodes: 2,
    stopped: 2,
    failed: [],
  })
  const again = { command: ['agent'], nodeId: 'node-term-2', waitTimeoutMs: 0 }
  expect(await call('spawn', again)).toMatchObject({ node: { terminalId: 'term-3', status: 'running' } })
  const { nodes } = await call('lineage', {})
  expect(nodes.map(({ nodeId, parentId, status }) => [nodeId, parentId, status])).toEqual([
    ['node-term-1', null, 'stopped'],
    ['node-term-2', 'node-term-1', 'running'],
  ])
  await call('stopLineage', { nodeId: 'node-term-1', nodes: 'remove' })
  expect(await call('lineage', {})).toEqual({ nodes: [], rollUps: {} })
  expect(await call('list', {})).toEqual({ terminals: [] })
})

test('the wait for any of them ends with the first that has finished', async () => {
  const { client, pty, clock, waiting } = await openAgents()
  const any = client.call('awaitAgents', { terminalIds: ['term-1', 'term-2'], until: 'any' })
  pty(2).exits({ code: 0 })
  const { agents } = await any
  expect(agents).toMatchObject([{ terminalId: 'term-1' }, { terminalId: 'term-2', outcome: 'finished' }])
  expect(agents[0]).not.toHaveProperty('outcome')
  pty(1).exits({ code: 0 })
  await inTime(clock, waiting)
})

test('an agent with an idle pattern is idle once its screen shows it as well', async () => {
  const adapters = () => [{ ...adapterOfCommand('tiny', ['tiny']), idlePattern: '>' }]
  const engine = openFakeEngine({}, undefined, { adapters })
  const { client, pty, clock } = engine
  await inTime(clock, client.call('spawn', { agent: 'tiny', waitTimeoutMs: 0 }))
  pty(1).prints(`${status('working')}> quoted from a person, and longer than any prompt\r\n${status('idle')}`)
  const early = await inTime(clock, client.call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 3_000 }))
  expect(early.agents).toMatchObject([{ outcome: 'timeout' }])
  const waiting = client.call('awaitAgents', { terminalIds: ['term-1'] })
  pty(1).prints('\r\n│ > │\r\n')
  expect((await inTime(clock, waiting)).agents).toMatchObject([{ outcome: 'finished' }])
})

test('an idle pattern alone is enough where nothing else says that the agent is idle', async () => {
  const adapters = () => [{ ...adapterOfCommand('tiny', ['tiny']), idlePattern: '>' }]
  const { client, pty, clock } = openFakeEngine({}, undefined, { adapters })
  await inTime(clock, client.call('spawn', { agent: 'tiny', asksForAnswer: false, waitTimeoutMs: 0 }))
  const outcomeOf = async (printed: string) => {
    pty(1).prints(printed)
    const { agents } = await inTime(
      clock,
      client.call('awaitAgents', { terminalIds: ['term-1'], waitTimeoutMs: 3_000 }),
    )
    return agents[0]?.outcome
  }
  expect(await outcomeOf('> fix it\r\n')).toBe('timeout')
  expect(await outcomeOf(`${status('blocked')}> `)).toBe('asks')
  expect(await outcomeOf(`${status('working')}\r\n> `)).toBe('finished')
})

test('a first instruction waits for the text by which its agent says that it is ready', async () => {
  const adapters = () => [{ ...adapterOfCommand('tiny', ['tiny']), readyPattern: 'Ready.' }]
  const { client, pty, clock } = openFakeEngine({}, undefined, { adapters })
  const spawning = client.call('spawn', { agent: 'tiny', instruction: 'fix it', waitTimeoutMs: 0 })
  for (let steps = 0; steps < 100; steps++) {
    clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  pty(1).prints('Loading\r\n')
  expect(pty(1).written).toBe('')
  pty(1).prints('Ready.\r\n')
  await inTime(clock, spawning)
  expect(pty(1).written).toContain('fix it')
})
