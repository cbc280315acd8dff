import type { TerminalState } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { formatTree } from './format-tree.ts'

type Node = VerbOutput<'lineage'>['nodes'][number]

const node = (nodeId: string, parentId: string | null, more: Partial<Node> = {}): Node => ({
  nodeId,
  parentId,
  order: 0,
  label: nodeId,
  role: 'agent',
  kind: 'agent',
  status: 'idle',
  createdAt: 0,
  updatedAt: 0,
  terminalId: nodeId,
  lastAction: 'bash',
  summary: null,
  cwd: '/w',
  ...more,
})
const agent = (terminalId: string, more: Partial<VerbOutput<'agents'>['agents'][number]> = {}) => ({
  terminalId,
  type: 'claude',
  asksForAnswer: true,
  cwd: '/w',
  state: 'ready' as const,
  ...more,
})

const stateOf = (more: Partial<TerminalState> = {}): TerminalState => ({
  state: 'ready',
  kind: 'agent',
  need: null,
  isPaused: false,
  isAgent: false,
  exitCode: null,
  signal: null,
  ...more,
})
const statesOf = (states: Readonly<Record<string, Partial<TerminalState>>>) =>
  new Map(Object.entries(states).map(([id, more]) => [id, stateOf(more)]))

test('the tree shows parents, with names first, the states of the page, and whole questions', () => {
  const nodes = [
    node('term-1', null),
    node('term-2', 'term-1', { status: 'waiting-input', label: 'audit' }),
    node('term-3', 'term-2', { status: 'running', summary: 'runs the tests' }),
    node('term-4', 'term-1', { status: 'waiting-input' }),
    node('group-1', null, { kind: 'group', terminalId: null, label: 'review', cwd: null, lastAction: null }),
    node('term-9', 'gone', { status: 'blocked' }),
  ]
  const question = 'May I delete the folder build with all that is below it, and begin the tests again?'
  const agents = [
    agent('term-2'),
    agent('term-3', { type: 'codex', state: 'busy' }),
    agent('term-4', { needs: 'answer', question }),
    agent('term-9'),
  ]
  const states = statesOf({
    'term-1': { kind: 'shell' },
    'term-2': { need: 'approval' },
    'term-3': { state: 'busy', kind: null },
    'term-4': { kind: 'menu' },
    'term-9': {},
  })
  expect(
    formatTree({ nodes, agents, states, cols: 48 }),
  ).toBe(`term-1                at its prompt    bash                    /w
├─ audit      term-2  needs approval   claude                  /w
│  └─ term-3          working          codex   runs the tests  /w
└─ term-4             asks a question  claude                  /w
      asks: May I delete the folder build with
      all that is below it, and begin the tests
      again?
review                                 group
term-9                asks a question  claude                  /w
`)
  expect(formatTree({ nodes, agents, states })).toContain(`      asks: ${question}\n`)
})

test('descendants are counted, with the age of each, and a line stays within 80 columns up to its folder', () => {
  const nodes = [node('term-1', null), node('term-2', 'term-1', { status: 'running', cwd: '/w/project' })]
  const none = {
    below: 0,
    working: 0,
    waiting: 0,
    finished: 0,
    failed: 0,
    paused: 0,
    isPaused: false,
    usage: null,
    usageBelow: null,
  }
  const rollUps = {
    'term-1': { ...none, below: 4, working: 2, waiting: 1, failed: 1, paused: 1, elapsedMs: 7_260_000 },
    'term-2': { ...none, isPaused: true, elapsedMs: 59_000 },
  }
  const states = statesOf({ 'term-1': {}, 'term-2': { state: 'busy', isPaused: true } })
  const text = formatTree({ nodes, agents: [agent('term-2', { state: 'busy' })], states, rollUps })
  expect(text).toContain('4 below: 2 work, 1 wait, 1 failed, 1 paused')
  expect(text).toMatch(/term-1 +idle +2h/)
  expect(text).toMatch(/term-2 +paused +59s/)
  for (const line of text.split('\n')) expect(line.replace(/ +\/\S+$/, '').length).toBeLessThanOrEqual(80)
})

test('the usage of each agent is beside it, and summed up above; a cost only where one is reported', () => {
  const nodes = [node('term-1', null), node('term-2', 'term-1')]
  const used = (input: number, costUsd: number | null) => ({ input, output: 904, cached: 0, costUsd, models: [] })
  const counts = { working: 0, waiting: 1, finished: 0, failed: 0, paused: 0, isPaused: false, elapsedMs: 1_000 }
  const rollUps = {
    'term-1': { ...counts, below: 1, usage: null, usageBelow: used(1_250_000, 0.412) },
    'term-2': { ...counts, below: 0, usage: used(48_210, null), usageBelow: null },
  }
  const text = formatTree({ nodes, agents: [agent('term-2', {})], states: new Map(), rollUps })
  expect(text).toContain('1 below: 1 wait; 1.2M in, 904 out, $0.41')
  expect(text).toMatch(/term-2 .* 48k in, 904 out {2}/)
})

test('an empty tree is reported as empty', () =>
  expect(formatTree({ nodes: [], agents: [], states: new Map() })).toBe('No terminals and no agents.\n'))
