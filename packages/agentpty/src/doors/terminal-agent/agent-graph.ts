/**
 * The tree of agents: a node for each terminal, below the terminal whose program opened it, and the groups and agents that
 * callers add. Terminals come and go by themselves ({@link AgentGraph.sync}); what callers said of a node stays with it.
 *
 * A node without a parent is a root. Parents and children never form a circle.
 */

import { TermError } from '../../contracts/errors.ts'
import type { Listed } from './call-verbs.ts'
import type { NodeStatus } from './contract.ts'
import { statusOf } from './node-status.ts'

/** As the other system answers with it; times in milliseconds since 1970. */
export interface AgentNode {
  readonly id: string
  parentId: string | null
  label: string
  role: string
  nodeType: 'group' | 'agent'
  status: NodeStatus
  readonly createdAt: number
  updatedAt: number
  terminalId: string | null
  lastAction: string | null
  summary: string | null
  sortOrder: number
}

interface Kept {
  readonly node: AgentNode
  /** Made or held on to by a caller: it outlives its terminal. */
  isKept: boolean
  /** What a caller said of it goes before what its terminal looks like, as long as that lives. */
  told: NodeStatus | null
  /** Where its terminal was last, to open it again. */
  cwd: string | null
}

export type NodeDraft = Pick<AgentNode, 'label' | 'role' | 'nodeType'> & {
  readonly parentId: string | null
  readonly terminalId: string | null
}

export type NodeChange = Partial<Pick<AgentNode, 'label' | 'role' | 'status' | 'summary' | 'lastAction'>>

const keptNodesMax = 1_000

export class AgentGraph {
  readonly #kept = new Map<string, Kept>()
  #made = 0

  /** Brings the nodes of terminals up to date. `nameOf`: what a terminal is called for display. */
  sync(terminals: readonly Listed[], now: number, nameOf: (terminal: Listed) => string): void {
    const byTerminal = this.#byTerminal()
    for (const terminal of terminals) {
      const kept = byTerminal.get(terminal.terminalId) ?? this.#grow(terminal, nameOf(terminal))
      kept.cwd = terminal.cwd
      this.#setStatus(kept, statusOf(terminal, kept.told), now)
    }
    const listed = new Set(terminals.map(({ terminalId }) => terminalId))
    for (const kept of [...this.#kept.values()]) {
      const { terminalId } = kept.node
      if (terminalId !== null && !listed.has(terminalId)) this.#lose(kept, now)
    }
  }

  /** Errors: `Node "x" not found`. */
  get(nodeId: string): AgentNode {
    return this.#find(nodeId).node
  }

  cwdOf(nodeId: string): string | null {
    return this.#find(nodeId).cwd
  }

  /** In their order; null: the roots. */
  childrenOf(nodeId: string | null): readonly AgentNode[] {
    const children = [...this.#kept.values()].map(({ node }) => node).filter(({ parentId }) => parentId === nodeId)
    return children.sort((a, b) => a.sortOrder - b.sortOrder)
  }

  /** The node and all below it, parents first. */
  subtree(nodeId: string): readonly AgentNode[] {
    const nodes = [this.get(nodeId)]
    for (const { id } of nodes) nodes.push(...this.childrenOf(id))
    return nodes
  }

  /** A terminal's own node becomes the agent's. Errors: an unknown parent, a terminal that has an agent, too many nodes. */
  add(draft: NodeDraft, now: number): AgentNode {
    if (draft.parentId !== null) this.#assertParent(draft.parentId)
    this.#assertRoom()
    const { terminalId } = draft
    const own = terminalId === null ? undefined : this.#byTerminal().get(terminalId)
    if (own?.isKept) throw new TermError('invalid_input', `Node "${own.node.id}" already exists`, '')
    if (own !== undefined && draft.parentId !== null) this.move(own.node.id, { parentId: draft.parentId }, now)
    const kept = own ?? this.#put({ ...draft, id: this.#nextId(now), createdAt: now })
    kept.isKept = true
    if (terminalId !== null) kept.told = 'running'
    Object.assign(kept.node, { label: draft.label, role: draft.role, status: kept.told ?? 'idle', updatedAt: now })
    return kept.node
  }

  update(nodeId: string, change: NodeChange, now: number): AgentNode {
    const kept = this.#find(nodeId)
    if (change.status !== undefined) kept.told = change.status
    return Object.assign(kept.node, change, { updatedAt: now })
  }

  /** Below another parent, null: to the top; there before the child at `index`, else last. */
  move(nodeId: string, to: { readonly parentId: string | null; readonly index?: number }, now: number): AgentNode {
    const { node } = this.#find(nodeId)
    if (to.parentId !== null) {
      this.#assertParent(to.parentId)
      if (this.subtree(nodeId).some(({ id }) => id === to.parentId))
        throw new TermError('invalid_input', `Cannot move "${nodeId}" under "${to.parentId}" — it is a descendant`, '')
    }
    const siblings = this.childrenOf(to.parentId).filter(({ id }) => id !== nodeId)
    const ordered = siblings.toSpliced(to.index ?? siblings.length, 0, node)
    for (const [index, one] of ordered.entries()) one.sortOrder = index
    return Object.assign(node, { parentId: to.parentId, updatedAt: now })
  }

  remove(nodeId: string): void {
    for (const { id } of this.subtree(nodeId)) this.#kept.delete(id)
  }

  /** Another terminal in its place, or none: then it waits for one in this status. */
  bind(nodeId: string, terminalId: string | null, status: NodeStatus, now: number): AgentNode {
    const kept = this.#find(nodeId)
    kept.isKept = true
    kept.told = status
    return Object.assign(kept.node, { terminalId, status, updatedAt: now })
  }

  #byTerminal(): ReadonlyMap<string, Kept> {
    const bound = [...this.#kept.values()].flatMap((kept) =>
      kept.node.terminalId === null ? [] : [[kept.node.terminalId, kept] as const],
    )
    return new Map(bound)
  }

  #grow({ terminalId, parent, createdAt, command }: Listed, label: string): Kept {
    const parentId = parent === undefined ? null : (this.#byTerminal().get(parent)?.node.id ?? null)
    const kept = this.#put({
      id: `node-${terminalId}`,
      parentId,
      label,
      createdAt,
      terminalId,
      role: 'agent',
      nodeType: 'agent',
    })
    kept.node.lastAction = command
    return kept
  }

  #put(node: NodeDraft & Pick<AgentNode, 'id' | 'createdAt'>): Kept {
    const sortOrder = (this.childrenOf(node.parentId).at(-1)?.sortOrder ?? -1) + 1
    const rest = { status: 'idle', updatedAt: node.createdAt, lastAction: null, summary: null, sortOrder } as const
    const kept: Kept = { node: { ...node, ...rest }, isKept: false, told: null, cwd: null }
    this.#kept.set(node.id, kept)
    return kept
  }

  /** Its terminal was closed: a caller's node is stopped, another one goes, and its children move up. */
  #lose(kept: Kept, now: number): void {
    const { node } = kept
    if (kept.isKept) {
      node.terminalId = null
      const isOver = node.status === 'done' || node.status === 'error'
      this.#setStatus(kept, isOver ? node.status : 'stopped', now)
      return
    }
    for (const { id } of this.childrenOf(node.id)) this.move(id, { parentId: node.parentId }, now)
    this.#kept.delete(node.id)
  }

  #setStatus({ node }: Kept, status: NodeStatus, now: number): void {
    if (node.status !== status) Object.assign(node, { status, updatedAt: now })
  }

  #nextId(now: number): string {
    this.#made += 1
    return `node-${now.toString(36)}-${this.#made.toString(36).padStart(4, '0')}`
  }

  /** Also by the id of its terminal. */
  #find(nodeId: string): Kept {
    const kept = this.#kept.get(nodeId) ?? this.#byTerminal().get(nodeId)
    if (kept === undefined) throw new TermError('invalid_input', `Node "${nodeId}" not found`, '')
    return kept
  }

  #assertParent(nodeId: string): void {
    if (!this.#kept.has(nodeId)) throw new TermError('invalid_input', `Parent node "${nodeId}" not found`, '')
  }

  #assertRoom(): void {
    const count = [...this.#kept.values()].filter(({ isKept }) => isKept).length
    if (count >= keptNodesMax)
      throw new TermError('limit_reached', `There are ${keptNodesMax} nodes already.`, 'Remove some with graph_remove.')
  }
}
