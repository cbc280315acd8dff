/**
 * Access of a caller with a scope, by every verb. The attacks on a new verb follow from its record, or the test fails until it has some.
 */

import assert from 'node:assert/strict'
import { isTermError, type ServerClient } from '@agentpty/protocol'
import type { CallerScope } from '@agentpty/protocol/scope'
import { type Verb, type VerbInput, type VerbName, verbs } from '@agentpty/protocol/verbs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFakeEngine, pass } from '../fake-engine.ts'
import { scopeGuard } from './scope-guard.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const
const scopeOf = (id: string, holds = () => true): CallerScope => ({ id, name: `scope ${id}`, holds })

/** term-1 (secret-build) is the user's, term-2 that of scope a, term-3 that of scope b; each may be called by its name. */
async function open(holds = () => true) {
  const engine = openFakeEngine({}, ({ host }) => [scopeGuard(host)])
  onTestFinished(pass(engine.clock))
  const a = engine.clientOf({ client: 'a', scope: scopeOf('a', holds) })
  const b = engine.clientOf({ client: 'b', scope: scopeOf('b') })
  await engine.client.call('create', { name: 'secret-build', command: ['cat'], ...quick })
  await a.call('create', { name: 'own', command: ['cat'], ...quick })
  await b.call('create', { name: 'foreign', command: ['cat'], ...quick })
  return { ...engine, a, b }
}

/** Calls that would reach a terminal of another caller. */
type Attack = (client: ServerClient, terminal: string) => Promise<unknown>
const naming =
  <Name extends VerbName>(name: Name, more: object = {}): Attack =>
  (client, terminalId) =>
    client.call(name, { ...more, terminalId } as VerbInput<Name>)
/** Calls that name no terminal: their results are inspected. */
const telling =
  <Name extends VerbName>(name: Name, input: object = {}): Attack =>
  async (client) =>
    expect(JSON.stringify(await client.call(name, input as VerbInput<Name>))).not.toMatch(
      /term-[13]|secret-build|foreign/,
    )

/** Attacks of their own, of verbs whose record does not say enough. */
const ownAttacks: { readonly [Name in VerbName]?: readonly Attack[] } = {
  // The new terminal belongs to the caller; the one that it claims to run in does not.
  create: [
    telling('create', { command: ['cat'], ...quick }),
    (client) => client.call('create', { environment: 'env-1', ...quick }),
  ],
  spawn: [
    telling('spawn', { command: ['cat'], waitTimeoutMs: 0 }),
    (client, nodeId) => client.call('spawn', { command: ['cat'], nodeId, waitTimeoutMs: 0 }),
    (client, terminal) => client.call('spawn', { command: ['cat'], nodeId: `node-${terminal}`, waitTimeoutMs: 0 }),
  ],
  wait: [
    (client, terminal) => client.call('wait', { terminalIds: [terminal], waitFor: 'none' }),
    (client, terminal) => client.call('wait', { terminalIds: ['own', terminal], waitFor: 'none' }),
  ],
  runPipeline: [telling('runPipeline', { text: 'steps: {a: {agent: "true", task: ""}}' })],
  pipelines: [telling('pipelines'), (client) => client.call('pipelines', { runId: 'run-1' })],
  stepOutput: [(client) => client.call('stepOutput', { runId: 'run-1', key: 'a' })],
  cancelPipeline: [(client) => client.call('cancelPipeline', { runId: 'run-1' })],
  resumePipeline: [(client) => client.call('resumePipeline', { runId: 'run-1' })],
  fork: [naming('fork'), naming('fork', { worktree: true })],
  resume: [(client, agentId) => client.call('resume', { agentId })],
  reply: [naming('reply'), naming('reply', { option: '1' })],
  sendMessage: [
    naming('sendMessage', { text: 'x' }),
    naming('sendMessage', { text: 'x', steer: true }),
    (client) => client.call('sendMessage', { toParent: true, text: 'x' }),
  ],
  inbox: [naming('inbox'), naming('inbox', { take: 'all' })],
  sentMessages: [
    telling('sentMessages'),
    (client, terminal) => client.call('sentMessages', { messageIds: [`${terminal}-m1`] }),
  ],
  awaitAgents: [(client, terminal) => client.call('awaitAgents', { terminalIds: ['own', terminal], waitTimeoutMs: 0 })],
  keptRecording: [(client, recordingId) => client.call('keptRecording', { recordingId })],
  artifact: [naming('artifact', { capture: 'screen' })],
  pause: [
    (client, terminal) => client.call('pause', { terminalIds: [terminal], paused: true }),
    (client, terminal) => client.call('pause', { terminalIds: ['own', terminal], paused: false }),
  ],
  close: [
    naming('close'),
    (client, terminal) => client.call('close', { terminalIds: ['own', terminal] }),
    telling('close', { all: true }),
  ],
  dismiss: [(client, terminal) => client.call('dismiss', { needId: `${terminal}-ended` })],
  answer: [(client) => client.call('answer', { questionId: 'q-foreign', text: 'x' })],
  approvals: [telling('approvals', { all: true })],
  decide: [(client) => client.call('decide', { approvalId: 'ap-1', answer: 'allow' })],
  openPage: [(client) => client.call('openPage', {})],
  devices: [telling('devices')],
  revokeDevice: [(client) => client.call('revokeDevice', { deviceId: 'all' })],
  pushKey: [(client) => client.call('pushKey', {})],
  subscribePush: [(client) => client.call('subscribePush', verbs.subscribePush.example)],
  unsubscribePush: [(client) => client.call('unsubscribePush', { deviceId: 'dev-1' })],
  testPush: [(client) => client.call('testPush', {})],
  revoke: [(client) => client.call('revoke', { grantId: 'gr-1' })],
  lineage: [telling('lineage'), (client, nodeId) => client.call('lineage', { nodeId })],
  changeLineage: [
    (client, nodeId) => client.call('changeLineage', { change: { kind: 'describe', nodeId, summary: 'mine' } }),
    (client, parentId) =>
      client.call('changeLineage', { change: { kind: 'move', nodeId: 'own-node', parentId: `node-${parentId}` } }),
    (client, terminalId) =>
      client.call('changeLineage', {
        change: { kind: 'add', nodeKind: 'agent', label: 'x', role: 'x', parentId: null, terminalId },
      }),
    (client, terminal) =>
      client.call('changeLineage', {
        change: {
          kind: 'add',
          nodeKind: 'group',
          label: 'x',
          role: 'x',
          parentId: `node-${terminal}`,
          terminalId: null,
        },
      }),
  ],
  makeEnvironment: [(client) => client.call('makeEnvironment', {})],
  resetEnvironment: [(client) => client.call('resetEnvironment', { environmentId: 'env-1' })],
  stepEnvironment: [(client) => client.call('stepEnvironment', { environmentId: 'env-1', action: 'x' })],
  execInEnvironment: [(client) => client.call('execInEnvironment', { environmentId: 'env-1', command: 'x' })],
  verifyEnvironment: [(client) => client.call('verifyEnvironment', { environmentId: 'env-1' })],
  forkEnvironment: [(client) => client.call('forkEnvironment', { environmentId: 'env-1' })],
  closeEnvironment: [(client) => client.call('closeEnvironment', { environmentId: 'env-1' })],
  environments: [(client) => client.call('environments', {})],
  retry: [(client, nodeId) => client.call('retry', { nodeId })],
  stopLineage: [
    (client, nodeId) => client.call('stopLineage', { nodeId, nodes: 'keep' }),
    (client, nodeId) => client.call('stopLineage', { nodeId: `node-${nodeId}`, nodes: 'remove' }),
  ],
}

/** A verb that names one terminal is called with the terminal of another; one that answers for all its caller has must not show it. */
function attacksOf(name: VerbName): readonly Attack[] {
  const { touches, example }: Verb = verbs[name]
  const own = ownAttacks[name]
  if (own !== undefined) return own
  if (Array.isArray(touches) && touches.join() === 'terminalId')
    return [naming(name, { ...(example as object), ...withoutWait(name) })]
  if (touches === 'own' && Object.keys(example as object).length === 0) return [telling(name)]
  throw new Error(`How would ${name} reach a terminal of another caller? Add its attacks to ownAttacks.`)
}

/** An attack that is refused does not wait; one that is not must not wait either. */
const withoutWait = (name: VerbName) => ('waitFor' in shapeOf(name) ? { waitFor: 'none' } : {})

const shapeOf = (name: VerbName): object => {
  const { input }: Verb = verbs[name]
  return 'shape' in input ? (input.shape as object) : {}
}

describe.each(Object.keys(verbs) as VerbName[])('%s', (name) => {
  test.each(['term-1', 'secret-build', 'term-3', 'foreign'])('reaches nothing of %s', async (terminal) => {
    for (const attack of attacksOf(name)) {
      const { a, b, client, pty } = await open()
      const before = JSON.stringify(await client.call('list', {}))
      const refused = await attack(a, terminal).then(
        () => null,
        (error: unknown) => error,
      )
      if (refused !== null) {
        assert.ok(isTermError(refused), String(refused))
        expect(['session_not_found', 'denied', 'invalid_input', 'not_asking']).toContain(refused.code)
        // A caller that may not see a terminal does not learn that it exists.
        expect(`${refused.message} ${refused.hint}`.replaceAll(terminal, '')).not.toMatch(
          /term-[13]\b|secret-build|foreign/,
        )
      }
      const after = JSON.stringify(await client.call('list', {}))
      for (const id of ['term-1', 'term-3']) expect(entryOf(after, id)).toEqual(entryOf(before, id))
      expect([pty(1).written, pty(3).written]).toEqual(['', ''])
      expect((await b.call('lineage', {})).nodes).toMatchObject([
        { terminalId: 'term-3', summary: null, parentId: null },
      ])
    }
  })

  test('names each terminal that its input has in what it touches', () => {
    const { touches }: Verb = verbs[name]
    const fields = ['terminalId', 'terminalIds'].filter((field) => Object.hasOwn(shapeOf(name), field))
    if (Array.isArray(touches)) expect([...touches].sort()).toEqual(fields.sort())
    else expect(fields).toEqual([])
  })
})

const entryOf = (listed: string, id: string): unknown =>
  JSON.parse(listed).terminals.find(({ terminalId }: { terminalId: string }) => terminalId === id)

test('what is its own it uses as ever, by id and by name', async () => {
  const { a, pty } = await open()
  await a.call('send', { terminalId: 'own', text: 'hello', waitFor: 'none' })
  expect(pty(2).written).toContain('hello')
  expect((await a.call('list', {})).terminals).toMatchObject([{ terminalId: 'term-2' }])
  expect((await a.call('lineage', {})).nodes).toMatchObject([{ terminalId: 'term-2' }])
  expect(await a.call('close', { all: true })).toEqual({ closed: ['term-2'] })
})

test('a caller without a scope sees all, and the records of all terminals stay whole for every caller', async () => {
  const { a, client } = await open()
  await client.call('changeLineage', { change: { kind: 'describe', nodeId: 'term-1', summary: 'kept' } })
  await a.call('lineage', {})
  expect((await client.call('lineage', {})).nodes).toMatchObject([
    { terminalId: 'term-1', summary: 'kept' },
    { terminalId: 'term-2' },
    { terminalId: 'term-3' },
  ])
})

test('a part of the lineage in which others are is not stopped, and they are not shown', async () => {
  const { a, client } = await open()
  await client.call('lineage', {})
  await client.call('changeLineage', { change: { kind: 'move', nodeId: 'node-term-1', parentId: 'node-term-2' } })
  await expect(a.call('stopLineage', { nodeId: 'term-2', nodes: 'remove' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  expect((await a.call('lineage', { nodeId: 'term-2' })).nodes).toMatchObject([{ terminalId: 'term-2' }])
  expect((await client.call('list', {})).terminals).toHaveLength(3)
})

test('what a program in one of its terminals opens belongs to it, without any token', async () => {
  const { a, clientOf } = await open()
  const inside = clientOf({ client: 'inside', env: { SHELL: '/bin/sh', AGENTPTY_TERMINAL: 'term-2' } })
  const { terminalId } = await inside.call('create', { command: ['cat'], ...quick })
  expect((await a.call('list', {})).terminals).toMatchObject([
    { terminalId: 'term-2' },
    { terminalId, parent: 'term-2' },
  ])
})

test('a caller that claims to run in a terminal of another opens nothing below it', async () => {
  const { clientOf } = await open()
  const sly = clientOf({ client: 'a', scope: scopeOf('a'), env: { SHELL: '/bin/sh', AGENTPTY_TERMINAL: 'term-1' } })
  const { terminalId } = await sly.call('create', { command: ['cat'], ...quick })
  const { terminals } = await sly.call('list', {})
  expect(terminals.find((one) => one.terminalId === terminalId)).not.toHaveProperty('parent')
})

test('no call says that it has no scope, or that a person makes it', async () => {
  const { a } = await open()
  const sly = { scope: scopeOf('b'), isPerson: true }
  await expect(a.call('read', { terminalId: 'term-3' }, sly)).rejects.toMatchObject({ code: 'session_not_found' })
  await expect(a.call('read', { terminalId: 'term-1' }, sly)).rejects.toMatchObject({ code: 'session_not_found' })
})

test('following and watching show its own and nothing else', async () => {
  const { a } = await open()
  const events = a.watch()[Symbol.asyncIterator]()
  expect((await events.next()).value).toEqual({ type: 'terminals', terminals: [{ terminalId: 'term-2', name: 'own' }] })
  await events.return?.()
  const foreign = a.follow('term-3', { output: { since: 0 } })[Symbol.asyncIterator]()
  await expect(foreign.next()).rejects.toMatchObject({ code: 'session_not_found' })
})

test('a caller with a scope can neither read the state of the server nor stop it', async () => {
  const { a } = await open()
  await expect(a.control.status()).rejects.toMatchObject({ code: 'denied' })
  await expect(a.control.stop({ all: true })).rejects.toMatchObject({ code: 'denied' })
})

test('a token that was revoked counts no more: not for the next call, not for one that waits, not for a stream', async () => {
  let holds = true
  const { a, pty } = await open(() => holds)
  const reading = a.call('read', { terminalId: 'own', waitFor: 'output' })
  const stream = a.follow('own', { output: { since: 0 } })[Symbol.asyncIterator]()
  const ended = [reading, stream.next()].map((call) => expect(call).rejects.toMatchObject({ code: 'denied' }))
  await Promise.resolve()
  holds = false
  pty(2).prints('secret\n')
  await Promise.all(ended)
  await expect(a.call('list', {})).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('revoked'),
  })
})
