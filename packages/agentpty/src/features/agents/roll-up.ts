/** What is below each node of a lineage, counted by how it is. Pure. */

import type { LineageNode, NodeStatus, RollUp } from '../../contracts/agents/lineage.ts'

type Counted = 'working' | 'waiting' | 'finished' | 'failed'

const counts: Readonly<Record<NodeStatus, Counted>> = {
  idle: 'waiting',
  queued: 'waiting',
  starting: 'working',
  running: 'working',
  blocked: 'waiting',
  'waiting-input': 'waiting',
  stopping: 'working',
  stopped: 'finished',
  error: 'failed',
  done: 'finished',
  disconnected: 'failed',
}

type Sum = { -readonly [Field in keyof RollUp]: RollUp[Field] }

/** Nodes come parents first. `isPaused`: by terminal. */
export function rollUps(
  nodes: readonly LineageNode[],
  { now, isPaused }: { readonly now: number; readonly isPaused: (terminalId: string) => boolean },
): Readonly<Record<string, RollUp>> {
  const sums = new Map(nodes.map((node) => [node.nodeId, emptySum(node, now, isPaused)]))
  for (const node of nodes.toReversed()) {
    const own = sums.get(node.nodeId)
    const above = node.parentId === null ? undefined : sums.get(node.parentId)
    if (own === undefined || above === undefined) continue
    for (const field of ['below', 'working', 'waiting', 'finished', 'failed', 'paused'] as const)
      above[field] += own[field]
    if (node.kind === 'group') continue
    above.below++
    above[own.isPaused ? 'paused' : counts[node.status]]++
  }
  return Object.fromEntries(sums)
}

function emptySum(node: LineageNode, now: number, isPaused: (terminalId: string) => boolean): Sum {
  const { status, createdAt, updatedAt, terminalId } = node
  const hasEnded = counts[status] === 'finished' || counts[status] === 'failed'
  return {
    ...{ below: 0, working: 0, waiting: 0, finished: 0, failed: 0, paused: 0 },
    elapsedMs: Math.max(0, (hasEnded ? updatedAt : now) - createdAt),
    isPaused: !hasEnded && terminalId !== null && isPaused(terminalId),
  }
}
