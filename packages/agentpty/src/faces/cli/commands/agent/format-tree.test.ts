import { expect, test } from 'vitest'
import type { VerbOutput } from '../../../../contracts/verbs/index.ts'
import { formatTree } from './format-tree.ts'

type Node = VerbOutput<'lineage'>['nodes'][number]

const node = (nodeId: string, parentId: string | null, more: Partial<Node> = {}): Node => ({
  ...{ nodeId, parentId, order: 0, label: nodeId, role: 'agent', kind: 'agent', status: 'idle', createdAt: 0 },
  ...{ updatedAt: 0, terminalId: nodeId, lastAction: 'bash', summary: null, cwd: '/w', ...more },
})
const agent = (terminalId: string, more: Partial<VerbOutput<'agents'>['agents'][number]> = {}) => ({
  ...{ terminalId, type: 'claude', asksForAnswer: true, cwd: '/w', state: 'ready' as const, ...more },
})

test('who was started from which is seen, with the states of agents in words', () => {
  const nodes = [
    node('term-1', null),
    node('term-2', 'term-1', { status: 'waiting-input', label: 'audit' }),
    node('term-3', 'term-2', { status: 'running', summary: 'runs the tests' }),
    node('term-4', 'term-1', { status: 'waiting-input' }),
    node('group-1', null, { kind: 'group', terminalId: null, label: 'review', cwd: null, lastAction: null }),
    node('term-9', 'gone', { status: 'blocked' }),
  ]
  const agents = [
    agent('term-2'),
    agent('term-3', { type: 'codex', state: 'busy' }),
    agent('term-4', { needs: 'answer', question: 'May I?' }),
    agent('term-9'),
  ]
  expect(formatTree(nodes, agents)).toBe(`term-1        idle     bash           /w
├─ term-2     idle     claude  audit  /w
│  └─ term-3  at work  codex          /w  runs the tests
└─ term-4     asks     claude         /w  asks: May I?
review        idle     group
term-9        blocked  claude         /w
`)
})

test('nothing is said to be nothing', () => expect(formatTree([], [])).toBe('No terminals and no agents.\n'))
