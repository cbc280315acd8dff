/** The tree of agents in terminal-agent's door: terminals below the ones that opened them, and callers' additions. */

import assert from 'node:assert/strict'
import { defined } from '@agentpty/protocol'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { program } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { callForText } from './text-door.ts'

const instance = scratchInstance()
let client: Client

interface Tree {
  readonly id: string
  readonly label: string
  readonly status: string
  readonly terminalId: string | null
  readonly rollup: Readonly<Record<string, number>>
  readonly children: readonly Tree[]
}

async function call<Result = Readonly<Record<string, unknown>>>(tool: string, input: object = {}): Promise<Result> {
  const { text, isError } = await callForText(client, tool, input)
  assert.equal(isError, false, text)
  return JSON.parse(text)
}

async function errorOf(tool: string, input: object): Promise<string> {
  const { text, isError } = await callForText(client, tool, input)
  assert.equal(isError, true, text)
  return text
}

const make = async (label: string, parentId?: string): Promise<string> =>
  (await call<{ id: string }>('graph_create_agent', { label, parentId })).id

const tree = (rootId: string, maxDepth?: number) => call<readonly Tree[]>('graph_list', defined({ rootId, maxDepth }))

const labels = ({ label, children }: Tree): unknown =>
  children.length === 0 ? label : { [label]: children.map(labels) }

async function open(name: string): Promise<string> {
  return (await call<{ terminalId: string }>('terminal_create', { name })).terminalId
}

/** A terminal that a program inside another one opens. */
async function openInside(terminalId: string, name: string, command = ''): Promise<void> {
  const text = `${process.execPath} ${program} new --name ${name} ${command}; echo opened=$?`
  await call('terminal_send', { terminalId, text, waitForString: 'opened=0' })
}

beforeAll(async () => {
  client = await instance.door('terminal-agent')
})

test('a terminal is below the one that opened it, at every level', async () => {
  const top = await open('top')
  await openInside(top, 'middle')
  await openInside('middle', 'bottom')
  const [root] = await tree(top)
  expect(root && labels(root)).toEqual({ top: [{ middle: ['bottom'] }] })
  expect(root).toMatchObject({ status: 'idle', terminalId: top, rollup: { directChildCount: 1, subtreeNodeCount: 2 } })
  const cut = await tree(top, 1)
  expect(cut.map(labels)).toEqual([{ top: ['middle'] }])
  await call('terminal_close', { terminalId: 'middle' })
  expect((await tree(top)).map(labels)).toEqual([{ top: ['bottom'] }])
})

test('a status is the terminal’s own, unless a caller sets another one', async () => {
  const parent = await open('statuses')
  await openInside(parent, 'failed', "'exit 3'")
  await openInside(parent, 'finished', 'true')
  await openInside(parent, 'asking', "'read -p name: name'")
  await call('terminal_read', { terminalId: 'asking', waitForString: 'name:' })
  await call('terminal_read', { terminalId: 'failed', waitForIdle: 50_000 })
  await call('terminal_read', { terminalId: 'finished', waitForIdle: 50_000 })
  const statuses = async () => {
    const [root] = await tree(parent)
    return Object.fromEntries(root?.children.map(({ label, status }) => [label, status]) ?? [])
  }
  expect(await statuses()).toEqual({ failed: 'error', finished: 'done', asking: 'waiting-input' })
  const [root] = await tree(parent)
  expect(root?.rollup).toMatchObject({ subtreeNodeCount: 3, subtreeErrorCount: 1, subtreeRunningCount: 0 })
  const nodeId = root?.children.find(({ label }) => label === 'asking')?.id
  expect(await call('graph_update', { nodeId, status: 'blocked', summary: 'no name', role: 'asker' })).toMatchObject({
    id: nodeId,
    status: 'blocked',
    summary: 'no name',
    role: 'asker',
  })
  expect(await statuses()).toMatchObject({ asking: 'blocked' })
  await call('terminal_send', { terminalId: 'asking', text: 'me' })
  await call('terminal_read', { terminalId: 'asking', waitForIdle: 50_000 })
  expect(await statuses()).toMatchObject({ asking: 'done' })
})

test('groups and agents are created with a node’s fields', async () => {
  const group = await call('graph_create_group', { label: 'backend' })
  expect(group).toEqual({
    id: expect.stringMatching(/^node-[0-9a-z]+-[0-9a-z]{4}$/),
    parentId: null,
    label: 'backend',
    role: 'group',
    nodeType: 'group',
    status: 'idle',
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
    terminalId: null,
    lastAction: null,
    summary: null,
    sortOrder: expect.any(Number),
  })
  const terminalId = await open('tester')
  const agent = await call('graph_create_agent', { label: 'tests', parentId: group['id'], terminalId })
  expect(agent).toMatchObject({
    parentId: group['id'],
    role: 'agent',
    nodeType: 'agent',
    status: 'running',
    terminalId,
  })
  expect((await tree(String(group['id']))).map(labels)).toEqual([{ backend: ['tests'] }])
  expect(await errorOf('graph_create_agent', { label: 'again', terminalId })).toBe(
    `Error: Node "${agent['id']}" already exists`,
  )
})

test('a planned agent has no terminal, not even an unnamed one', async () => {
  await call('terminal_create')
  expect(await call('graph_create_agent', { label: 'planned' })).toMatchObject({ status: 'idle', terminalId: null })
})

test('nodes are moved, and never below themselves', async () => {
  const group = await make('g')
  const a = await make('a', group)
  const b = await make('b', group)
  const c = await make('c', group)
  expect(await call('graph_move', { nodeId: c, newParentId: group, newIndex: 0 })).toMatchObject({ sortOrder: 0 })
  await call('graph_move', { nodeId: b, newParentId: a })
  expect((await tree(group)).map(labels)).toEqual([{ g: ['c', { a: ['b'] }] }])
  expect(await errorOf('graph_move', { nodeId: a, newParentId: b })).toBe(
    `Error: Cannot move "${a}" under "${b}" — it is a descendant`,
  )
  expect(await call('graph_move', { nodeId: a })).toMatchObject({ parentId: null })
})

test.each([
  ['graph_update', { nodeId: 'node-x' }, 'Error: Node "node-x" not found'],
  ['graph_remove', { nodeId: 'node-x' }, 'Error: Node "node-x" not found'],
  ['graph_create_group', { label: 'g', parentId: 'node-x' }, 'Error: Parent node "node-x" not found'],
  ['graph_list', { rootId: 'node-x' }, 'Error: Node not found: node-x'],
])('%s of %j answers %s', async (tool, input, message) => {
  expect(await errorOf(tool, input)).toBe(message)
})

test('removing a node closes its programs and those below it', async () => {
  const group = await make('gone')
  const terminalId = await open('inside')
  await call('graph_create_agent', { label: 'agent', parentId: group, terminalId })
  expect(await call('graph_remove', { nodeId: group })).toEqual({ removed: true, descendantsRemoved: 1 })
  expect(await errorOf('terminal_read', { terminalId })).toContain('Terminal not found')
  expect(await errorOf('graph_list', { rootId: group })).toContain('Node not found')
})

test('a subtree is stopped and each of its agents is given a new terminal', async () => {
  const parent = await open('lead')
  await openInside(parent, 'worker')
  const [root] = await tree(parent)
  const nodeId = root?.id ?? ''
  expect(await call('graph_retry', { nodeId })).toBeNull()
  expect(await call('graph_stop_subtree', { nodeId })).toEqual({ stopped: 2, errors: [] })
  const [stopped] = await tree(nodeId)
  expect(stopped).toMatchObject({ status: 'stopped', terminalId: null, children: [{ status: 'stopped' }] })
  expect(await errorOf('terminal_read', { terminalId: parent })).toContain('Terminal not found')
  const again = await call('graph_retry', { nodeId })
  expect(again).toMatchObject({ id: nodeId, status: 'running', terminalId: expect.stringMatching(/^term-/) })
  expect(await call('terminal_read', { terminalId: again['terminalId'] })).toMatchObject({ isActive: true })
})
