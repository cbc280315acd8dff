import assert from 'node:assert/strict'
import { lineageNodesMax, TermError } from '@agentpty/protocol'
import type { ListedTerminal } from '@agentpty/protocol/verbs'
import { describe, expect, test } from 'vitest'
import { memoryStore } from './agents-file.ts'
import { keptNodesMs } from './kept-nodes.ts'
import { Lineage } from './lineage.ts'

const terminal = (number: number, more: Partial<ListedTerminal> = {}): ListedTerminal => ({
  terminalId: `term-${number}`,
  command: 'sh',
  pid: number,
  cwd: '/work',
  isActive: true,
  cursor: 0,
  createdAt: number,
  state: 'ready',
  kind: 'shell',
  ...more,
})

const added = (label: string, parentId: string | null = null) =>
  ({ nodeKind: 'agent', label, role: 'agent', parentId, terminalId: null }) as const

const shown = (lineage: Lineage) => lineage.all().map(({ nodeId, parentId }) => [nodeId, parentId])

describe('nodes of terminals', () => {
  test('stay when a limit has closed them, until a caller removes them', () => {
    const lineage = new Lineage()
    const overTime = [{ terminal: terminal(1), scope: null, why: 'closed', closedAt: 7 }]
    lineage.sync([], 10, undefined, overTime)
    expect(lineage.all()).toMatchObject([{ nodeId: 'node-term-1', status: 'stopped', summary: 'closed', updatedAt: 7 }])
    lineage.remove('node-term-1')
    lineage.sync([], 11, undefined, overTime)
    expect(lineage.all()).toEqual([])
  })

  test('stand below the one that opened them, and move up when it is closed', () => {
    const lineage = new Lineage()
    const child = terminal(2, { parent: 'term-1' })
    lineage.sync([terminal(1), child], 10)
    expect(shown(lineage)).toEqual([
      ['node-term-1', null],
      ['node-term-2', 'node-term-1'],
    ])
    lineage.sync([child], 20)
    expect(shown(lineage)).toEqual([['node-term-2', null]])
  })

  test('are called by their label, else by their name, else by their id', () => {
    const lineage = new Lineage()
    lineage.labelTerminal('term-1', 'the tests')
    lineage.sync([terminal(1, { name: 'tests' }), terminal(2, { name: 'web' }), terminal(3)], 10)
    assert.deepEqual(
      lineage.all().map(({ label }) => label),
      ['the tests', 'web', 'term-3'],
    )
  })

  test('stay stopped without a terminal when a caller has bound them', () => {
    const lineage = new Lineage()
    lineage.sync([terminal(1)], 10)
    lineage.bind('term-1', 'term-1', 'running', 20)
    lineage.sync([], 30)
    expect(lineage.subtree('node-term-1')).toMatchObject([{ status: 'stopped', terminalId: null, updatedAt: 30 }])
  })
})

describe('nodes that callers add', () => {
  test('take over the node of their terminal, once', () => {
    const lineage = new Lineage()
    lineage.sync([terminal(1)], 10)
    const request = { ...added('tester'), terminalId: 'term-1' }
    expect(lineage.add(request, 20)).toMatchObject({ nodeId: 'node-term-1', label: 'tester', status: 'running' })
    assert.throws(() => lineage.add(request, 30), /already exists/)
  })

  test('are ordered as they are moved, also by the id of their terminal, and never into a circle', () => {
    const lineage = new Lineage()
    lineage.sync([terminal(1), terminal(2), terminal(3)], 10)
    lineage.move({ nodeId: 'term-3', parentId: null, index: 0 }, 20)
    expect(lineage.all().map(({ terminalId, order }) => [terminalId, order])).toEqual([
      ['term-3', 0],
      ['term-1', 1],
      ['term-2', 2],
    ])
    lineage.move({ nodeId: 'term-2', parentId: 'node-term-1' }, 30)
    assert.throws(() => lineage.move({ nodeId: 'node-term-1', parentId: 'node-term-2' }, 40), /descendant/)
  })

  test('are bounded', () => {
    const lineage = new Lineage()
    for (let made = 0; made < lineageNodesMax; made++) lineage.add(added(`agent ${made}`), made)
    assert.throws(() => lineage.add(added('one more'), 0), { code: 'limit_reached' })
  })
})

test('a group that is removed leaves its members to its parent', () => {
  const lineage = new Lineage()
  const outer = lineage.add({ ...added('outer'), nodeKind: 'group' }, 1)
  const inner = lineage.add({ ...added('inner', outer.nodeId), nodeKind: 'group' }, 1)
  const leaf = lineage.add(added('leaf', inner.nodeId), 1)
  lineage.removeAlone(inner.nodeId, 2)
  expect(shown(lineage)).toEqual([
    [outer.nodeId, null],
    [leaf.nodeId, outer.nodeId],
  ])
  lineage.sync([terminal(1)], 3)
  expect(() => lineage.removeAlone('term-1', 4)).toThrow('has a terminal')
})

test('a parent may be named by its terminal', () => {
  const lineage = new Lineage()
  lineage.sync([terminal(1), terminal(2)], 1)
  lineage.move({ nodeId: 'term-2', parentId: 'term-1' }, 2)
  expect(shown(lineage)).toEqual([
    ['node-term-1', null],
    ['node-term-2', 'node-term-1'],
  ])
})

test('a terminal that was met before it was bound is one node, with what it has opened', () => {
  const lineage = new Lineage()
  const agent = lineage.add(added('agent'), 1)
  lineage.sync([terminal(1), terminal(2, { parent: 'term-1' })], 2)
  lineage.bind(agent.nodeId, 'term-1', 'running', 3)
  expect(shown(lineage)).toEqual([
    [agent.nodeId, null],
    ['node-term-2', agent.nodeId],
  ])
})

describe('what callers said', () => {
  const group = (label: string, parentId: string | null = null) =>
    ({ ...added(label, parentId), nodeKind: 'group' }) as const

  test('is there again for the next server, at its place, with terminals that go on', () => {
    const store = memoryStore()
    const before = new Lineage(store)
    before.sync([terminal(1), terminal(2, { parent: 'term-1' }), terminal(3)], 1)
    const team = before.add(group('team'), 2)
    before.move({ nodeId: 'term-3', parentId: team.nodeId }, 3)
    before.describe({ nodeId: 'term-2', label: 'parser', summary: 'half done' }, 4)
    const after = new Lineage(store, 10)
    after.sync([terminal(1), terminal(2, { parent: 'term-1' }), terminal(3)], 10)
    expect(shown(after).toSorted()).toEqual(shown(before).toSorted())
    expect(after.all().find(({ nodeId }) => nodeId === 'node-term-2')).toMatchObject({
      label: 'parser',
      summary: 'half done',
      terminalId: 'term-2',
    })
  })

  test('goes up where the terminal above it has ended meanwhile, and its own has stopped', () => {
    const store = memoryStore()
    const before = new Lineage(store)
    before.sync([terminal(1), terminal(2)], 1)
    const team = before.add(group('team', 'term-1'), 2)
    before.bind('term-2', 'term-2', 'running', 3)
    const after = new Lineage(store, 10)
    after.sync([], 10)
    expect(after.all()).toMatchObject([
      { nodeId: 'node-term-2', terminalId: null, status: 'stopped' },
      { nodeId: team.nodeId, parentId: null },
    ])
  })

  test('is forgotten a week after it has ended, and groups in which nothing is left with it', () => {
    const store = memoryStore()
    const before = new Lineage(store)
    const outer = before.add(group('outer'), 1)
    before.add(added('done', outer.nodeId), 1)
    before.add({ ...added('works', before.add(group('kept'), 1).nodeId), terminalId: 'term-1' }, 1)
    const labels = (now: number) => new Lineage(store, now).all().map(({ label }) => label)
    expect(labels(keptNodesMs)).toEqual(['outer', 'kept', 'done', 'works'])
    expect(labels(keptNodesMs + 2)).toEqual(['kept', 'works'])
  })

  test('is told to be unsaved by a full disk, and saved with the next change', () => {
    const store = memoryStore()
    let isFull = true
    const lineage = new Lineage({
      ...store,
      saveLineage: (kept) => {
        if (isFull) throw new TermError('machine_unfit', 'No room.', 'Make room.')
        store.saveLineage(kept)
      },
    })
    expect(() => lineage.add(group('team'), 1)).toThrow('No room.')
    lineage.sync([], 2)
    isFull = false
    lineage.sync([], 3)
    expect(store.loadLineage()).toMatchObject([{ node: { label: 'team' } }])
  })
})
