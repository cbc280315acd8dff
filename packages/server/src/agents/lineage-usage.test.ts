import assert from 'node:assert/strict'
import type { LineageNode, NodeStatus } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { rollUps, statusOf } from './lineage-usage.ts'

const node = (
  nodeId: string,
  parentId: string | null,
  status: NodeStatus,
  more: Partial<LineageNode> = {},
): LineageNode => ({
  nodeId,
  parentId,
  status,
  order: 0,
  label: nodeId,
  role: '',
  kind: 'agent',
  createdAt: 100,
  updatedAt: 400,
  terminalId: nodeId,
  lastAction: null,
  summary: null,
  cwd: null,
  ...more,
})

const noUsage = { usageOf: () => null, gone: [] }

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
    ...noUsage,
  })
  expect(sums['top']).toEqual({
    below: 5,
    working: 1,
    waiting: 1,
    finished: 1,
    failed: 1,
    paused: 1,
    elapsedMs: 900,
    isPaused: false,
    usage: null,
    usageBelow: null,
  })
  expect(sums['group']).toMatchObject({ below: 5 })
  expect(sums['a']).toMatchObject({ below: 3, working: 0, finished: 1, failed: 1, paused: 1 })
  expect(sums['e']).toMatchObject({ below: 0, isPaused: true })
})

test('one that has ended has lasted until then, and is not paused', () => {
  const sums = rollUps([node('a', null, 'done')], { now: 1_000, isPaused: () => true, ...noUsage })
  expect(sums['a']).toMatchObject({ elapsedMs: 300, isPaused: false })
})

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'kind' | 'needs' | 'exitCode'>

test.each<[string, Turn, NodeStatus | null, NodeStatus]>([
  ['a shell at its prompt rests', { state: 'ready', kind: 'shell' }, null, 'idle'],
  ['an agent that waits for an instruction rests', { state: 'ready', kind: 'agent' }, null, 'idle'],
  ['an agent that shows a dialog waits', { state: 'ready', kind: 'agent', needs: 'answer' }, null, 'waiting-input'],
  ['a password prompt waits', { state: 'ready', kind: 'password' }, null, 'waiting-input'],
  ['a program at work runs', { state: 'busy' }, null, 'running'],
  ['what a caller set holds while the program lives', { state: 'busy' }, 'blocked', 'blocked'],
  ['a program that ended well is done, whatever was set', { state: 'exited', exitCode: 0 }, 'running', 'done'],
  ['a program that failed is an error', { state: 'exited', exitCode: 1 }, null, 'error'],
  ['a program that a signal ended is an error', { state: 'exited' }, null, 'error'],
  ['an ending that was set stays', { state: 'exited', exitCode: 1 }, 'stopped', 'stopped'],
])('%s', (_what, turn, given, want) => {
  assert.equal(statusOf(turn, given), want)
})
