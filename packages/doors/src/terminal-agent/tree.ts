/** A node of the lineage and the tree below it, in the shape of the other system. */

import type { LineageNode } from '@agentpty/protocol/agents'

/** Times in milliseconds since 1970. */
export interface AgentNode
  extends Pick<
    LineageNode,
    'label' | 'parentId' | 'role' | 'terminalId' | 'createdAt' | 'status' | 'updatedAt' | 'lastAction' | 'summary'
  > {
  readonly nodeType: LineageNode['kind']
  readonly id: string
  readonly sortOrder: number
}

export function toAgentNode(node: LineageNode): AgentNode {
  const { label, parentId, role, kind, terminalId, nodeId, createdAt, status, updatedAt, lastAction, summary, order } =
    node
  return {
    label,
    parentId,
    role,
    nodeType: kind,
    terminalId,
    id: nodeId,
    createdAt,
    status,
    updatedAt,
    lastAction,
    summary,
    sortOrder: order,
  }
}

/** A node as the tree shows it, with the nodes below it. */
export interface TreeNode
  extends Pick<AgentNode, 'id' | 'label' | 'role' | 'nodeType' | 'status' | 'summary' | 'terminalId'> {
  readonly rollup: Rollup
  readonly children: readonly TreeNode[]
}

interface Rollup {
  readonly directChildCount: number
  readonly subtreeNodeCount: number
  readonly subtreeRunningCount: number
  readonly subtreeErrorCount: number
  readonly subtreeBlockedCount: number
}

export function toTree(node: LineageNode, nodes: readonly LineageNode[], depth: number): TreeNode {
  const { nodeId, label, role, kind, status, summary, terminalId } = node
  const children = depth > 0 ? childrenOf(nodeId, nodes).map((child) => toTree(child, nodes, depth - 1)) : []
  const rollup = rollupOf(nodeId, nodes)
  return { id: nodeId, label, role, nodeType: kind, status, summary, terminalId, rollup, children }
}

/** Counts the nodes below this one, without this one. */
function rollupOf(nodeId: string, nodes: readonly LineageNode[]): Rollup {
  const below = [...childrenOf(nodeId, nodes)]
  const directChildCount = below.length
  for (const child of below) below.push(...childrenOf(child.nodeId, nodes))
  const count = (wanted: LineageNode['status']) => below.filter(({ status }) => status === wanted).length
  return {
    directChildCount,
    subtreeNodeCount: below.length,
    subtreeRunningCount: count('running'),
    subtreeErrorCount: count('error'),
    subtreeBlockedCount: count('blocked'),
  }
}

/** The lineage lists them in order. */
function childrenOf(nodeId: string, nodes: readonly LineageNode[]): readonly LineageNode[] {
  return nodes.filter(({ parentId }) => parentId === nodeId)
}
