/** The lineage as a tree for people. */

import type { VerbOutput } from '../../../../contracts/verbs/index.ts'
import { cell, table } from '../../table.ts'
import { usageText } from '../../usage-text.ts'
import { agentState } from './ls.ts'

type Node = VerbOutput<'lineage'>['nodes'][number]
type Agent = VerbOutput<'agents'>['agents'][number]
type Sum = VerbOutput<'lineage'>['rollUps'][string]

const whatWidthMax = 48

/** Nodes come parents first. One whose parent is not among them stands at the top. */
export function formatTree(
  nodes: readonly Node[],
  agents: readonly Agent[],
  sums: VerbOutput<'lineage'>['rollUps'] = {},
): string {
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
    const own = [`${first}${node.terminalId ?? node.label}`, ...cellsOf(node, byTerminal, sums[node.nodeId])]
    return [own, ...lines]
  }
  return table(childrenOf(null).flatMap((node) => rows(node, ['', ''])))
}

/** What stands before a node, and before what is below it. */
type Branch = readonly [first: string, further: string]

function cellsOf(node: Node, agents: ReadonlyMap<string, Agent>, sum: Sum | undefined): readonly string[] {
  const { terminalId, label, status, lastAction, summary, cwd, kind } = node
  const agent = terminalId === null ? undefined : agents.get(terminalId)
  const what = agent?.type ?? (kind === 'group' ? 'group' : (lastAction ?? ''))
  const shown = label === terminalId || terminalId === null ? '' : label
  const now = agent?.needs === 'answer' ? `asks: ${agent.question ?? 'see its screen'}` : (summary ?? '')
  const turn = agent !== undefined && isShown.has(status) ? agentState(agent) : (statusWords[status] ?? status)
  const state = sum?.isPaused === true ? 'paused' : turn
  const below = sum === undefined ? [] : [elapsedText(sum.elapsedMs), ownText(sum), belowText(sum)]
  return [state, ...below, cell(what, whatWidthMax), cell(shown, whatWidthMax), cell(now, whatWidthMax), cwd ?? '']
}

/** What it has used itself. */
const ownText = ({ usage }: Sum): string => (usage === null ? '' : usageText(usage))

/** `3 below: 2 work, 1 failed; 48k in, 904 out`; nothing where nothing is below, and nothing was. */
function belowText(sum: Sum): string {
  if (sum.below === 0) return sum.usageBelow === null ? '' : `gone: ${usageText(sum.usageBelow)}`
  const parts = [
    [sum.working, 'work'],
    [sum.waiting, 'wait'],
    [sum.finished, 'done'],
    [sum.failed, 'failed'],
    [sum.paused, 'paused'],
  ] as const
  const said = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]))
  const used = sum.usageBelow === null ? '' : `; ${usageText(sum.usageBelow)}`
  return `${sum.below} below: ${said.join(', ')}${used}`
}

/** In the largest unit of which there is one: `45s`, `12m`, `3h`, `2d`. */
function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
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
