/** The tools over the tree of agents, which is the lineage in the words of the other system. */

import { defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import type { LineageNode } from '@agentpty/protocol/agents'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { callVerb, type DoorCall } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'

const depthDefault = 3

export async function createGroup(
  { label, parentId, role = 'group' }: TerminalAgentInput<'graph_create_group'>,
  call: DoorCall,
): Promise<JsonObject> {
  return change({ kind: 'add', nodeKind: 'group', label, role, parentId: parentId ?? null, terminalId: null }, call)
}

export async function createAgent(
  { label, parentId, role = 'agent', terminalId }: TerminalAgentInput<'graph_create_agent'>,
  call: DoorCall,
): Promise<JsonObject> {
  const position = { parentId: parentId ?? null, terminalId: terminalId ?? null }
  return change({ kind: 'add', nodeKind: 'agent', label, role, ...position }, call)
}

export async function remove({ nodeId }: TerminalAgentInput<'graph_remove'>, call: DoorCall) {
  const { nodes } = await callVerb(call, 'stopLineage', { nodeId, nodes: 'remove' })
  return { removed: true, descendantsRemoved: nodes - 1 }
}

export async function update(input: TerminalAgentInput<'graph_update'>, call: DoorCall): Promise<JsonObject> {
  return change({ kind: 'describe', ...input }, call)
}

export async function move(
  { nodeId, newParentId = null, newIndex }: TerminalAgentInput<'graph_move'>,
  call: DoorCall,
): Promise<JsonObject> {
  return change(defined({ kind: 'move', nodeId, parentId: newParentId, index: newIndex }), call)
}

export async function listTree(
  { rootId, maxDepth = depthDefault }: TerminalAgentInput<'graph_list'>,
  call: DoorCall,
): Promise<readonly JsonObject[]> {
  const nodes = await nodesBelow(rootId, call)
  const roots = rootId === undefined ? nodes.filter(({ parentId }) => parentId === null) : nodes.slice(0, 1)
  return roots.map((root) => toTree(root, nodes, maxDepth))
}

export async function stopSubtree({ nodeId }: TerminalAgentInput<'graph_stop_subtree'>, call: DoorCall) {
  const { stopped, failed } = await callVerb(call, 'stopLineage', { nodeId, nodes: 'keep' })
  return { stopped, errors: failed.map(({ label, message }) => `${label}: ${message}`) }
}

/** Starts the terminal of a node that has failed or was stopped again; null for any other node. */
export async function retry({ nodeId: asked }: TerminalAgentInput<'graph_retry'>, call: DoorCall) {
  const [found] = (await callVerb(call, 'lineage', { nodeId: asked })).nodes
  if (found === undefined || (found.status !== 'error' && found.status !== 'stopped')) return null
  const { nodeId, label, cwd } = found
  if (cwd === null) return change({ kind: 'describe', nodeId, status: 'queued' }, call)
  const { node, terminalId } = await callVerb(call, 'retry', { nodeId })
  call.opened.set(terminalId, { name: label, mode: 'normal', shellType: '' })
  return toAgentNode(node)
}

async function change(edit: VerbInput<'changeLineage'>['change'], call: DoorCall): Promise<JsonObject> {
  try {
    return toAgentNode((await callVerb(call, 'changeLineage', { change: edit })).node)
  } catch (error) {
    if (!isTermError(error) || error.code !== 'limit_reached') throw error
    throw new TermError(error.code, error.message, 'Remove some with graph_remove.')
  }
}

async function nodesBelow(rootId: string | undefined, call: DoorCall): Promise<readonly LineageNode[]> {
  if (rootId === undefined) return (await callVerb(call, 'lineage', {})).nodes
  try {
    return (await callVerb(call, 'lineage', { nodeId: rootId })).nodes
  } catch (error) {
    if (!isTermError(error)) throw error
    throw invalidInput(`Node not found: ${rootId}`, '')
  }
}

/** Times in milliseconds since 1970. */
function toAgentNode(node: LineageNode): JsonObject {
  const { label, parentId, role, terminalId, createdAt, status, updatedAt, lastAction, summary } = node
  const { kind: nodeType, nodeId: id, order: sortOrder } = node
  return {
    label,
    parentId,
    role,
    nodeType,
    terminalId,
    id,
    createdAt,
    status,
    updatedAt,
    lastAction,
    summary,
    sortOrder,
  }
}

/** A node as the tree shows it, with the nodes below it. */
function toTree(node: LineageNode, nodes: readonly LineageNode[], depth: number): JsonObject {
  const { nodeId, label, role, kind, status, summary, terminalId } = node
  const children = depth > 0 ? childrenOf(nodeId, nodes).map((child) => toTree(child, nodes, depth - 1)) : []
  const rollup = rollupOf(nodeId, nodes)
  return { id: nodeId, label, role, nodeType: kind, status, summary, terminalId, rollup, children }
}

/** Counts the nodes below this one, without this one. */
function rollupOf(nodeId: string, nodes: readonly LineageNode[]) {
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
