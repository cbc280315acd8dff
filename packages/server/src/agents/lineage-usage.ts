/** The subtree of each node in a lineage: counted by state, with the sum of its usage. Pure. */

import {
  type KeptNode,
  type LineageNode,
  type NodeStatus,
  type RollUp,
  type ScopedNode,
  type Usage,
  usageTogether,
} from '@agentpty/protocol/agents'
import { overviewTextCharactersMax } from '@agentpty/protocol/needs'
import type { Kind, OverviewNode } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type KeptByTerminal, nodesToKeep } from './kept-nodes.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

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
interface GoneAgent {
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
    below: 0,
    working: 0,
    waiting: 0,
    finished: 0,
    failed: 0,
    paused: 0,
    elapsedMs: Math.max(0, (hasEnded ? updatedAt : now) - createdAt),
    isPaused: !hasEnded && terminalId !== null && isPaused(terminalId),
    usage: terminalId === null ? null : usageOf(terminalId),
    usageBelow: null,
  }
}

// The usage of agents by their position in the lineage, including agents whose terminals are gone.

interface Kept {
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
}

/** Implements the port in `protocol/agents/agents.ts`. */
export async function tokensOf(
  terminalId: string,
  open: ReadonlySet<string>,
  { kept, transcripts }: Kept,
): Promise<number> {
  const branch = kept.all().flatMap(([id, { start }]) => {
    const isIn = id === terminalId || start?.ancestors?.includes(terminalId) === true
    return isIn ? [id] : []
  })
  await transcripts.look(branch, { when: 'now', gone: new Set(branch.filter((id) => !open.has(id))) })
  return branch.reduce((sum, id) => {
    const usage = transcripts.usageOf(id)
    return usage === null ? sum : sum + usage.input + usage.output
  }, 0)
}

interface Shown {
  /** Terminals below which they were started. */
  readonly shown: ReadonlySet<string>
  /** All terminals that are there. */
  readonly open: ReadonlySet<string>
  /** The scope of the caller; undefined for a caller that sees all terminals. */
  readonly scope: string | undefined
}

export async function goneAgents(
  { shown, open, scope }: Shown,
  { kept, transcripts }: Kept,
): Promise<readonly GoneAgent[]> {
  const gone = kept.all().flatMap(([id, { start }]) => {
    const { ancestors = [] } = start ?? {}
    const isSeen = scope === undefined || start?.scope === scope
    return isSeen && !open.has(id) && ancestors.some((one) => shown.has(one)) ? [{ id, ancestors }] : []
  })
  const ids = gone.map(({ id }) => id)
  await transcripts.look(ids, { gone: new Set(ids) })
  return gone.flatMap(({ id, ancestors }) => {
    const usage = transcripts.usageOf(id)
    return usage === null ? [] : [{ ancestors, usage }]
  })
}

/** The nodes that callers added, described or moved, oldest first; all others follow from an overview's terminals. */
export function nodesWithScopes(all: readonly KeptNode[]): readonly ScopedNode[] {
  const shownIds = new Map(all.map(({ node }) => [node.nodeId, node.terminalId ?? node.nodeId]))
  return nodesToKeep(all).map(({ node, given, scope }) => {
    const parentId = node.parentId === null ? null : (shownIds.get(node.parentId) ?? null)
    return { node: shown({ ...node, parentId }, given), scope }
  })
}

/** A list of all of them stays small. */
function short(text: string | null): string | null {
  if (text === null || text.length <= overviewTextCharactersMax) return text
  return `${text.slice(0, overviewTextCharactersMax - 1)}…`
}

function shown({ updatedAt, cwd: _, ...node }: LineageNode, given: NodeStatus | null): OverviewNode {
  const hasTerminal = node.terminalId !== null
  return {
    ...node,
    status: hasTerminal ? given : node.status,
    summary: short(node.summary),
    lastAction: short(node.lastAction),
    changedAt: hasTerminal ? null : updatedAt,
  }
}

// The status of a node, from its terminal and from what callers set.

/** Kinds that wait for work; any other program that waits has asked something. */
const restingKinds: ReadonlySet<Kind | undefined> = new Set<Kind>(['shell', 'agent'])
/** Final statuses. */
export const endings: ReadonlySet<NodeStatus | null> = new Set<NodeStatus>(['done', 'error', 'stopped'])

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'kind' | 'needs' | 'exitCode'>

/** A status that a caller set holds while the program runs; after that only a final one takes precedence over the exit code. */
export function statusOf({ state, kind, needs, exitCode }: Turn, given: NodeStatus | null): NodeStatus {
  if (state === 'exited') {
    if (given !== null && endings.has(given)) return given
    return exitCode === 0 ? 'done' : 'error'
  }
  if (given !== null) return given
  if (state === 'busy') return 'running'
  return needs !== 'answer' && restingKinds.has(kind) ? 'idle' : 'waiting-input'
}
