/** What an overview is told of the lineage: what callers have added to it, described or moved. The rest stands in the rows of terminals. */

import type { KeptNode, LineageNode, NodeStatus, ToldNode } from '@agentpty/protocol/agents'
import { overviewTextCharactersMax } from '@agentpty/protocol/needs'
import type { OverviewNode } from '@agentpty/protocol/session'
import { nodesToKeep } from './kept-nodes.ts'

/** In the order in which they came to be. */
export function toldNodes(all: readonly KeptNode[]): readonly ToldNode[] {
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

function shown(node: LineageNode, given: NodeStatus | null): OverviewNode {
  const { nodeId, terminalId, parentId, order, label, role, kind, summary, lastAction, createdAt } = node
  const hasTerminal = terminalId !== null
  const status = hasTerminal ? given : node.status
  const changedAt = hasTerminal ? null : node.updatedAt
  return {
    nodeId,
    terminalId,
    parentId,
    order,
    label,
    role,
    kind,
    status,
    summary: short(summary),
    lastAction: short(lastAction),
    createdAt,
    changedAt,
  }
}
