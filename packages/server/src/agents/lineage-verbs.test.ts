import { expect, onTestFinished, test } from 'vitest'
import { openFakeEngine, pass } from '../fake-engine.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const

function open() {
  const engine = openFakeEngine()
  onTestFinished(pass(engine.clock))
  return engine
}

test('a command that has failed is started again under its name, in its folder and at its place', async () => {
  const { client, pty } = open()
  const group = {
    kind: 'add',
    nodeKind: 'group',
    label: 'team',
    role: 'group',
    parentId: null,
    terminalId: null,
  } as const
  const { nodeId: team } = (await client.call('changeLineage', { change: group })).node
  await client.call('create', { name: 'tests', command: ['make', 'a b'], cwd: '/tmp', ...quick })
  await client.call('changeLineage', { change: { kind: 'move', nodeId: 'term-1', parentId: team } })
  pty(1).exits({ code: 2, signal: null })
  expect(await client.call('retry', { nodeId: 'term-1' })).toMatchObject({
    terminalId: 'term-2',
    node: { terminalId: 'term-2', parentId: team, status: 'running', label: 'tests' },
  })
  const { terminals } = await client.call('list', {})
  expect(terminals).toMatchObject([{ terminalId: 'term-2', name: 'tests', command: 'make a b', cwd: '/tmp' }])
  expect((await client.call('lineage', {})).nodes).toHaveLength(2)
})

test('what was stopped comes back, also when its terminal has gone', async () => {
  const { client } = open()
  await client.call('create', { name: 'web', command: ['serve'], ...quick })
  await client.call('stopLineage', { nodeId: 'term-1', nodes: 'keep' })
  expect((await client.call('list', {})).terminals).toEqual([])
  expect((await client.call('retry', { nodeId: 'node-term-1' })).terminalId).toBe('term-2')
  expect((await client.call('list', {})).terminals).toMatchObject([{ name: 'web', command: 'serve' }])
})

test('what runs is not started again', async () => {
  const { client } = open()
  await client.call('create', { name: 'web', command: ['serve'], ...quick })
  await expect(client.call('retry', { nodeId: 'term-1' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'web has not ended.',
  })
})

test('a command that was not kept whole is not started by halves', async () => {
  const { client, pty } = open()
  await client.call('create', { name: 'long', command: ['make', 'x'.repeat(100_000)], ...quick })
  pty(1).exits({ code: 2, signal: null })
  await expect(client.call('retry', { nodeId: 'term-1' })).rejects.toMatchObject({ code: 'invalid_input' })
})
