import type { LineageNode, NodeStatus } from '@agentpty/protocol/agents'
import { expect, test } from 'vitest'
import { rollUps } from './roll-up.ts'

const node = (
  nodeId: string,
  parentId: string | null,
  status: NodeStatus,
  more: Partial<LineageNode> = {},
): LineageNode => ({
  ...{ nodeId, parentId, status, order: 0, label: nodeId, role: '', kind: 'agent', createdAt: 100, updatedAt: 400 },
  ...{ terminalId: nodeId, lastAction: null, summary: null, cwd: null, ...more },
})

const untold = { usageOf: () => null, gone: [] }

test('each node knows how those below it are, through groups and however deep they are', () => {
  const nodes = [
    node('top', null, 'idle'),
    node('group', 'top', 'idle', { kind: 'group', terminalId: null }),
    node('a', 'group', 'running'),
    node('b', 'group', 'waiting-input'),
    node('c', 'a', 'error'),
    node('d', 'a', 'done'),
    node('e', 'd', 'running'),
  ]
  const sums = rollUps(nodes, {
    now: 1_000,
    isPaused: (terminalId) => terminalId === 'e' || terminalId === 'd',
    ...untold,
  })
  expect(sums['top']).toEqual({
    ...{ below: 5, working: 1, waiting: 1, finished: 1, failed: 1, paused: 1 },
    ...{ elapsedMs: 900, isPaused: false, usage: null, usageBelow: null },
  })
  expect(sums['group']).toMatchObject({ below: 5 })
  expect(sums['a']).toMatchObject({ below: 3, working: 0, finished: 1, failed: 1, paused: 1 })
  expect(sums['e']).toMatchObject({ below: 0, isPaused: true })
})

test('one that has ended has lasted until then, and is not paused', () => {
  const sums = rollUps([node('a', null, 'done')], { now: 1_000, isPaused: () => true, ...untold })
  expect(sums['a']).toMatchObject({ elapsedMs: 300, isPaused: false })
})
