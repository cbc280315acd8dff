/** Rows and needs for tests. */

import type { Need } from '../needs.ts'
import type { OverviewNode } from '../session/overview-event.ts'
import type { Row } from './overview.ts'

export const rowWith = (terminalId: string, more: Partial<Row> = {}): Row => ({
  terminalId,
  name: null,
  title: '',
  program: 'cat',
  cwd: '/srv/app',
  parentId: null,
  agent: null,
  state: 'ready',
  kind: 'line',
  exitCode: null,
  signal: null,
  since: 0,
  isPaused: false,
  clientEndedAt: null,
  isSandboxed: false,
  mayType: 'both',
  takenBy: null,
  need: null,
  size: { cols: 80, rows: 24 },
  viewers: 0,
  lastOutputAt: null,
  ...more,
})

export const needWith = (needId: string, more: Partial<Need> = {}): Need => ({
  needId,
  kind: 'confirmation',
  terminalId: 'term-1',
  title: 'build',
  text: 'Go on? [y/N]',
  since: 0,
  answerBy: { verb: 'send', input: { terminalId: 'term-1' }, answer: 'text' },
  ...more,
})

export const nodeWith = (nodeId: string, more: Partial<OverviewNode> = {}): OverviewNode => ({
  nodeId,
  terminalId: null,
  parentId: null,
  order: 0,
  label: nodeId,
  role: 'group',
  kind: 'group',
  status: 'idle',
  summary: null,
  lastAction: null,
  createdAt: 0,
  changedAt: 0,
  ...more,
})
