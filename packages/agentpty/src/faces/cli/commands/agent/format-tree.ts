/** The lineage as a tree for people. */

import type { VerbOutput } from '../../../../contracts/verbs/index.ts'
import { cell, table } from '../../table.ts'
import { agentState } from './ls.ts'

type Node = VerbOutput<'lineage'>['nodes'][number]
type Agent = VerbOutput<'agents'>['agents'][number]

const whatWidthMax = 48

/** Nodes come parents first. One whose parent is not among them stands at the top. */
export function formatTree(nodes: readonly Node[], agents: readonly Agent[]): string {
  if (nodes.length === 0) return 'No terminals and no agents.\n'
  const known = new Set(nodes.map(({ nodeId }) => nodeId))
  const childrenOf = (parentId: string | null) =>
    nodes.filter((node) => (node.parentId !== null && known.has(node.parentId) ? node.parentId : null) === parentId)
  const byTerminal = new Map(agents.map((agent) => [agent.terminalId, agent]))
  const rows = (node: Node, [first, further]: Branch): (readonly string[])[] => {
    const below = childrenOf(node.nodeId)
    const lines = below.flatMap((child, index) =>
      rows(child, index === below.length - 1 ? [`${further}└─ `, `${further}   `] : [`${further}├─ `, `${further}│  `]),
    )
    return [[`${first}${node.terminalId ?? node.label}`, ...cellsOf(node, byTerminal)], ...lines]
  }
  return table(childrenOf(null).flatMap((node) => rows(node, ['', ''])))
}

/** What stands before a node, and before what is below it. */
type Branch = readonly [first: string, further: string]

function cellsOf(node: Node, agents: ReadonlyMap<string, Agent>): readonly string[] {
  const { terminalId, label, status, lastAction, summary, cwd, kind } = node
  const agent = terminalId === null ? undefined : agents.get(terminalId)
  const what = agent?.type ?? (kind === 'group' ? 'group' : (lastAction ?? ''))
  const shown = label === terminalId || terminalId === null ? '' : label
  const now = agent?.needs === 'answer' ? `asks: ${agent.question ?? 'see its screen'}` : (summary ?? '')
  const state = agent !== undefined && isShown.has(status) ? agentState(agent) : (statusWords[status] ?? status)
  return [state, cell(what, whatWidthMax), cell(shown, whatWidthMax), cwd ?? '', cell(now, whatWidthMax)]
}

/** What the lineage takes from a terminal; of an agent more is known. Whatever else was set by a caller. */
const isShown: ReadonlySet<Node['status']> = new Set<Node['status']>([
  'idle',
  'running',
  'waiting-input',
  'done',
  'error',
])

const statusWords: Partial<Readonly<Record<Node['status'], string>>> = {
  running: 'at work',
  'waiting-input': 'waits for input',
  error: 'failed',
}
