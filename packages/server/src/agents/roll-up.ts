/** What is below each node of a lineage: counted by how it is, and summed up by what it has used. Pure. */

import { type LineageNode, type NodeStatus, type RollUp, type Usage, usageTogether } from '@agentpty/protocol/agents'

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

/** An agent without a node: what it has used counts for those that it was started from. */
export interface GoneAgent {
  /** The terminals above it, the outermost first. */
  readonly ancestors: readonly string[]
  readonly usage: Usage
}

interface About {
  readonly now: number
  /** By terminal. */
  readonly isPaused: (terminalId: string) => boolean
  readonly usageOf: (terminalId: string) => Usage | null
  readonly gone: readonly GoneAgent[]
}

/** Nodes come parents first. */
export function rollUps(nodes: readonly LineageNode[], about: About): Readonly<Record<string, RollUp>> {
  const sums = new Map(nodes.map((node) => [node.nodeId, emptySum(node, about)]))
  const byTerminal = new Map(nodes.map(({ terminalId, nodeId }) => [terminalId, sums.get(nodeId)]))
  for (const { ancestors, usage } of about.gone) {
    const above = byTerminal.get(ancestors.findLast((one) => byTerminal.has(one)) ?? '')
    if (above !== undefined) above.usageBelow = usageTogether([above.usageBelow, usage])
  }
  for (const node of nodes.toReversed()) {
    const own = sums.get(node.nodeId)
    const above = node.parentId === null ? undefined : sums.get(node.parentId)
    if (own === undefined || above === undefined) continue
    for (const field of ['below', 'working', 'waiting', 'finished', 'failed', 'paused'] as const)
      above[field] += own[field]
    above.usageBelow = usageTogether([above.usageBelow, own.usageBelow, own.usage])
    if (node.kind === 'group') continue
    above.below++
    above[own.isPaused ? 'paused' : counts[node.status]]++
  }
  return Object.fromEntries(sums)
}

function emptySum(node: LineageNode, { now, isPaused, usageOf }: About): Sum {
  const { status, createdAt, updatedAt, terminalId } = node
  const hasEnded = counts[status] === 'finished' || counts[status] === 'failed'
  return {
    ...{ below: 0, working: 0, waiting: 0, finished: 0, failed: 0, paused: 0 },
    elapsedMs: Math.max(0, (hasEnded ? updatedAt : now) - createdAt),
    isPaused: !hasEnded && terminalId !== null && isPaused(terminalId),
    usage: terminalId === null ? null : usageOf(terminalId),
    usageBelow: null,
  }
}
