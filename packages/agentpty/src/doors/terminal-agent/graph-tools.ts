/** The tools over the tree of agents. Each looks first which terminals there are. */

import { defined } from '../../contracts/defined.ts'
import { isTermError, TermError } from '../../contracts/errors.ts'
import type { AgentGraph, AgentNode, NodeChange } from './agent-graph.ts'
import { callVerb, type DoorCall, displayName, type Listed, listTerminals } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'
import { openTerminal } from './open-terminal.ts'

const depthDefault = 3
const overStatuses: ReadonlySet<AgentNode['status']> = new Set<AgentNode['status']>(['stopped', 'error', 'done'])

export interface GraphCall extends DoorCall {
  readonly graph: AgentGraph
}

export async function createGroup(
  { label, parentId, role = 'group' }: TerminalAgentInput<'graph_create_group'>,
  call: GraphCall,
): Promise<AgentNode> {
  await look(call)
  return addNode({ label, parentId: parentId ?? null, role, nodeType: 'group', terminalId: null }, call)
}

export async function createAgent(
  { label, parentId, role = 'agent', terminalId: asked }: TerminalAgentInput<'graph_create_agent'>,
  call: GraphCall,
): Promise<AgentNode> {
  const terminals = await look(call)
  const terminalId = asked === undefined ? null : findTerminal(asked, terminals)
  return addNode({ label, parentId: parentId ?? null, role, nodeType: 'agent', terminalId }, call)
}

/** Errors: `session_not_found`. */
function findTerminal(asked: string, terminals: readonly Listed[]): string {
  const found = terminals.find(({ terminalId, name }) => asked === terminalId || asked === name)
  if (found !== undefined) return found.terminalId
  throw new TermError('session_not_found', `No terminal "${asked}".`, 'Choose one of terminal_list.')
}

export async function remove({ nodeId }: TerminalAgentInput<'graph_remove'>, call: GraphCall) {
  await look(call)
  const nodes = call.graph.subtree(nodeId)
  // Whoever is removed from the tree must not work on where nobody looks.
  for (const { terminalId } of nodes) if (terminalId !== null) await closeTerminal(terminalId, call)
  call.graph.remove(nodeId)
  return { removed: true, descendantsRemoved: nodes.length - 1 }
}

export async function update(
  { nodeId, ...change }: TerminalAgentInput<'graph_update'>,
  call: GraphCall,
): Promise<AgentNode> {
  await look(call)
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return call.graph.update(nodeId, Object.fromEntries(given) as NodeChange, call.clock.wall())
}

export async function move(
  { nodeId, newParentId = null, newIndex }: TerminalAgentInput<'graph_move'>,
  call: GraphCall,
): Promise<AgentNode> {
  await look(call)
  const to = defined({ parentId: newParentId, index: newIndex })
  return call.graph.move(nodeId, to, call.clock.wall())
}

export async function listTree(
  { rootId, maxDepth = depthDefault }: TerminalAgentInput<'graph_list'>,
  call: GraphCall,
): Promise<readonly TreeNode[]> {
  await look(call)
  if (rootId === undefined) return call.graph.childrenOf(null).map((node) => toTree(call.graph, node, maxDepth))
  return [toTree(call.graph, findRoot(rootId, call), maxDepth)]
}

export async function stopSubtree({ nodeId }: TerminalAgentInput<'graph_stop_subtree'>, call: GraphCall) {
  await look(call)
  const errors: string[] = []
  const running = call.graph
    .subtree(nodeId)
    .filter(({ nodeType, status }) => nodeType === 'agent' && !overStatuses.has(status))
  for (const { id, label, terminalId } of running.toReversed()) {
    try {
      if (terminalId !== null) await closeTerminal(terminalId, call)
      call.graph.bind(id, null, 'stopped', call.clock.wall())
    } catch (error) {
      if (!isTermError(error)) throw error
      errors.push(`${label}: ${error.message}`)
    }
  }
  return { stopped: running.length - errors.length, errors }
}

/** A fresh terminal where the last one was; null unless it has failed or was stopped. */
export async function retry({ nodeId }: TerminalAgentInput<'graph_retry'>, call: GraphCall): Promise<AgentNode | null> {
  await look(call)
  const { graph, clock } = call
  const { id, label, status, terminalId } = graph.get(nodeId)
  if (status !== 'error' && status !== 'stopped') return null
  const cwd = graph.cwdOf(id)
  if (cwd === null) return graph.bind(id, null, 'queued', clock.wall())
  if (terminalId !== null) await closeTerminal(terminalId, call)
  const opened = await openTerminal({ name: label, cwd }, call)
  return graph.bind(id, opened.terminalId, 'running', clock.wall())
}

/** What the tree shows of a node, and what is below it. */
interface TreeNode extends Pick<AgentNode, 'id' | 'label' | 'role' | 'nodeType' | 'status' | 'summary' | 'terminalId'> {
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

function toTree(graph: AgentGraph, node: AgentNode, depth: number): TreeNode {
  const { id, label, role, nodeType, status, summary, terminalId } = node
  const children = depth > 0 ? graph.childrenOf(id).map((child) => toTree(graph, child, depth - 1)) : []
  return { id, label, role, nodeType, status, summary, terminalId, rollup: rollupOf(graph, id), children }
}

/** Counts what is below the node, not the node. */
function rollupOf(graph: AgentGraph, nodeId: string): Rollup {
  const below = graph.subtree(nodeId).slice(1)
  const count = (wanted: AgentNode['status']) => below.filter(({ status }) => status === wanted).length
  return {
    directChildCount: graph.childrenOf(nodeId).length,
    subtreeNodeCount: below.length,
    subtreeRunningCount: count('running'),
    subtreeErrorCount: count('error'),
    subtreeBlockedCount: count('blocked'),
  }
}

function addNode(draft: Parameters<AgentGraph['add']>[0], { graph, clock }: GraphCall): AgentNode {
  return graph.add(draft, clock.wall())
}

function findRoot(rootId: string, { graph }: GraphCall): AgentNode {
  try {
    return graph.get(rootId)
  } catch (error) {
    if (!isTermError(error)) throw error
    throw new TermError('invalid_input', `Node not found: ${rootId}`, '')
  }
}

async function look(call: GraphCall): Promise<readonly Listed[]> {
  const terminals = await listTerminals(call)
  call.graph.sync(terminals, call.clock.wall(), (terminal) => displayName(call, terminal))
  return terminals
}

async function closeTerminal(terminalId: string, call: GraphCall): Promise<void> {
  await callVerb(call, 'close', { terminalId }).catch((error: unknown) => {
    // Somebody was faster.
    if (!isTermError(error) || error.code !== 'session_not_found') throw error
  })
}
