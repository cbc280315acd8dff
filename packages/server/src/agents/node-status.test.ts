import assert from 'node:assert/strict'
import type { NodeStatus } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { test } from 'vitest'
import { statusOf } from './node-status.ts'

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
