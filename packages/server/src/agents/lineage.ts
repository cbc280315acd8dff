/**
 * The lineage: a node for each terminal, below the terminal whose program opened it, and the groups and agents that callers add.
 * Terminals come and go by themselves ({@link Lineage.sync}); what callers said of a node stays with it.
 *
 * A node without a parent is a root. Parents and children never form a circle. What callers said is kept for the next server.
 */

import {
  BoundedMap,
  invalidInput,
  keptSessionsMax,
  limitReached,
  lineageLabelsMax,
  lineageNodesMax,
} from '@agentpty/protocol'
import type {
  LineageChange,
  LineageNode,
  LineageStore,
  LineageTerminal,
  NodeStatus,
  OverTime,
  ScopedNode,
  TerminalStart,
} from '@agentpty/protocol/agents'
import { type Draft, type Kept, type Mutable, NodeStore, newNode, nowhere } from './kept-nodes.ts'
import { nodesWithScopes, statusOf } from './lineage-usage.ts'

type Change<Kind extends LineageChange['kind']> = Omit<Extract<LineageChange, { readonly kind: Kind }>, 'kind'>

export interface Opened {
  readonly scope: string | null
  readonly start: TerminalStart | null
}

export class Lineage {
  readonly #store: NodeStore
  readonly #kept = new Map<string, Kept>()
  /** Labels of terminals that have no nodes yet. */
  readonly #labels = new BoundedMap<string, string>(lineageLabelsMax)
  /** Terminals whose reason for closing was reported. A caller may have removed their nodes since. */
  readonly #reportedGone = new BoundedMap<string, true>(keptSessionsMax)
  #made = 0

  constructor(store: LineageStore = nowhere, now = 0) {
    this.#store = new NodeStore(store)
    for (const kept of this.#store.load(now)) this.#kept.set(kept.node.nodeId, kept)
  }

  /** Brings the nodes of terminals up to date. `overTime`: those that stay, and say why they have gone. */
  sync(
    terminals: readonly Omit<LineageTerminal, 'scope' | 'start'>[],
    now: number,
    opened: (terminalId: string) => Opened = () => ({ scope: null, start: null }),
    overTime: readonly OverTime[] = [],
  ): void {
    const byTerminal = this.#byTerminal()
    for (const terminal of terminals) {
      const kept = byTerminal.get(terminal.terminalId) ?? this.#grow(terminal)
      kept.node.cwd = terminal.cwd
      kept.lastTerminal = terminal.terminalId
      const { scope, start } = opened(terminal.terminalId)
      kept.scope ??= scope
      kept.start = start ?? kept.start
      this.#setStatus(kept, statusOf(terminal, kept.given), now)
    }
    const gone = overTime.toSorted((a, b) => a.terminal.createdAt - b.terminal.createdAt)
    for (const one of gone) if (this.#reportedGone.get(one.terminal.terminalId) === undefined) this.#reportGone(one)
    const there = [...terminals, ...overTime.map(({ terminal }) => terminal)]
    const listed = new Set(there.map(({ terminalId }) => terminalId))
    for (const kept of [...this.#kept.values()]) {
      const { terminalId } = kept.node
      if (terminalId !== null && !listed.has(terminalId)) this.#lose(kept, now)
    }
    for (const { node } of this.#kept.values())
      if (node.parentId !== null && !this.#kept.has(node.parentId))
        this.#move({ nodeId: node.nodeId, parentId: null }, now)
    this.#store.saveWhenPossible([...this.#kept.values()])
  }

  /** Sets the label of a terminal, which people are shown once its node is made. */
  labelTerminal(terminalId: string, label: string): void {
    this.#labels.set(terminalId, label)
  }

  /** All nodes, parents first. */
  all(): readonly LineageNode[] {
    return this.#withDescendants(this.#childrenOf(null))
  }

  /** The node and all below it, parents first. Errors: `Node "x" not found`. */
  subtree(nodeId: string): readonly LineageNode[] {
    return this.#withDescendants([this.#find(nodeId).node])
  }

  /** Those that a caller with this scope sees; undefined sees all. What it does not see is no parent. */
  seen(nodes: readonly LineageNode[], scope: string | undefined): LineageNode[] {
    const isSeen = (nodeId: string) => scope === undefined || this.#find(nodeId).scope === scope
    return nodes
      .filter(({ nodeId }) => isSeen(nodeId))
      .map((node) => ({ ...node, parentId: node.parentId !== null && isSeen(node.parentId) ? node.parentId : null }))
  }

  /** Errors: as for a node that is not there. */
  assertSeen(nodeId: string, scope: string | undefined): void {
    if (scope !== undefined && this.#known(nodeId)?.scope !== scope) throw nodeNotFound(nodeId)
  }

  /** The same for all below it. */
  assertWhole(nodeId: string, scope: string | undefined): void {
    for (const below of this.subtree(nodeId)) this.assertSeen(below.nodeId, scope)
  }

  /** A terminal's own node becomes the agent's. Errors: an unknown parent, a terminal that has an agent, too many nodes. */
  add(change: Change<'add'>, now: number, scope: string | null = null): LineageNode {
    return this.#changing(() => this.#add(change, now, scope))
  }

  describe({ nodeId, ...change }: Change<'describe'>, now: number): LineageNode {
    return this.#changing(() => {
      const kept = this.#find(nodeId)
      if (change.status !== undefined) kept.given = change.status
      kept.isTold = true
      const given = Object.entries(change).filter(([, value]) => value !== undefined)
      return Object.assign(kept.node, Object.fromEntries(given), { updatedAt: now })
    })
  }

  /** Moves a node below another parent, or to the top for null; before the child at `index`, or last. */
  move(change: Change<'move'>, now: number): LineageNode {
    return this.#changing(() => this.#move(change, now))
  }

  remove(nodeId: string): void {
    this.#changing(() => {
      for (const below of this.subtree(nodeId)) this.#kept.delete(below.nodeId)
    })
  }

  /** Takes out a node alone. Errors: `Node "x" not found`; one that has a terminal. */
  removeAlone(nodeId: string, now: number): LineageNode {
    const { node } = this.#find(nodeId)
    if (node.terminalId !== null) throw invalidInput(`Node "${nodeId}" has a terminal.`, 'Close its terminal first.')
    this.#changing(() => this.#takeOut(node, now))
    return node
  }

  /** Keeps a subtree, including its root, while its terminals are closed or replaced. */
  hold(nodeId: string): void {
    this.#changing(() => {
      for (const below of this.subtree(nodeId)) this.#find(below.nodeId).isKept = true
    })
  }

  /** How its last terminal was started. Errors: `Node "x" not found`. */
  startOf(nodeId: string): Pick<Kept, 'start' | 'lastTerminal'> {
    return this.#find(nodeId)
  }

  /** Returns the nodes that callers have made, described or moved, with their scopes. */
  changedNodes(): readonly ScopedNode[] {
    return nodesWithScopes([...this.#kept.values()])
  }

  /** Gives a node another terminal, or none, and the status that it has with it. */
  bind(nodeId: string, terminalId: string | null, status: NodeStatus, now: number): LineageNode {
    return this.#changing(() => this.#bind(nodeId, terminalId, status, now))
  }

  /** Errors: those of the change, and those of {@link NodeStore.save}. */
  #changing<Result>(change: () => Result): Result {
    const result = change()
    this.#store.save([...this.#kept.values()])
    return result
  }

  #add({ nodeKind, label, role, parentId: asked, terminalId }: Change<'add'>, now: number, scope: string | null) {
    const parentId = asked === null ? null : this.#parent(asked).nodeId
    this.#assertRoom()
    const own = terminalId === null ? undefined : this.#byTerminal().get(terminalId)
    if (own?.isKept) throw invalidInput(`Node "${own.node.nodeId}" already exists`, '')
    if (own !== undefined && parentId !== null) this.#move({ nodeId: own.node.nodeId, parentId }, now)
    const draft = { kind: nodeKind, label, role, parentId, terminalId, createdAt: now }
    const kept = own ?? this.#put({ ...draft, nodeId: this.#nextId(now) })
    kept.isKept = true
    kept.scope ??= scope
    if (terminalId !== null) kept.given = 'running'
    return Object.assign(kept.node, { label, role, status: kept.given ?? 'idle', updatedAt: now })
  }

  #move({ nodeId, parentId: asked, index }: Change<'move'>, now: number): LineageNode {
    const { node } = this.#find(nodeId)
    const parentId = asked === null ? null : this.#parent(asked).nodeId
    if (parentId !== null && this.subtree(nodeId).some((below) => below.nodeId === parentId))
      throw invalidInput(`Cannot move "${nodeId}" under "${parentId}" — it is a descendant`, '')
    const siblings = this.#childrenOf(parentId).filter((sibling) => sibling !== node)
    const ordered = siblings.toSpliced(index ?? siblings.length, 0, node)
    for (const [order, one] of ordered.entries()) {
      if (index !== undefined) this.#find(one.nodeId).isTold = true
      one.order = order
    }
    return Object.assign(node, { parentId, updatedAt: now })
  }

  #bind(nodeId: string, terminalId: string | null, status: NodeStatus, now: number): LineageNode {
    const kept = this.#find(nodeId)
    // The terminal may have been met before it was bound.
    const met = terminalId === null ? undefined : this.#byTerminal().get(terminalId)
    if (met !== undefined && met !== kept) {
      for (const child of this.#childrenOf(met.node.nodeId)) this.#move({ nodeId: child.nodeId, parentId: nodeId }, now)
      this.#kept.delete(met.node.nodeId)
    }
    kept.isKept = true
    kept.given = status
    return Object.assign(kept.node, { terminalId, status, updatedAt: now })
  }

  #byTerminal(): ReadonlyMap<string, Kept> {
    const bound = [...this.#kept.values()].flatMap((kept) =>
      kept.node.terminalId === null ? [] : [[kept.node.terminalId, kept] as const],
    )
    return new Map(bound)
  }

  /** The children in their order; the roots for null. */
  #childrenOf(nodeId: string | null): readonly Mutable[] {
    const children = [...this.#kept.values()].map(({ node }) => node).filter(({ parentId }) => parentId === nodeId)
    return children.sort((a, b) => a.order - b.order)
  }

  #withDescendants(roots: readonly LineageNode[]): readonly LineageNode[] {
    const nodes = [...roots]
    // Nodes that are added are visited as well, level by level.
    for (const { nodeId } of nodes) nodes.push(...this.#childrenOf(nodeId))
    return nodes
  }

  #reportGone({ terminal, scope, why, closedAt }: OverTime): void {
    const { terminalId, cwd } = terminal
    this.#reportedGone.set(terminalId, true)
    const kept = this.#byTerminal().get(terminalId) ?? this.#grow(terminal)
    kept.scope ??= scope
    Object.assign(kept.node, { cwd, status: 'stopped', summary: why, updatedAt: closedAt })
  }

  #grow({ terminalId, name, parent, createdAt, command }: OverTime['terminal']): Kept {
    const kept = this.#put({
      nodeId: `node-${terminalId}`,
      parentId: parent === undefined ? null : (this.#byTerminal().get(parent)?.node.nodeId ?? null),
      label: this.#labels.get(terminalId) ?? name ?? terminalId,
      createdAt,
      terminalId,
      role: 'agent',
      kind: 'agent',
      openedFrom: parent ?? null,
    })
    this.#labels.delete(terminalId)
    kept.node.lastAction = command
    return kept
  }

  #put(draft: Draft): Kept {
    const kept = newNode(draft, (this.#childrenOf(draft.parentId).at(-1)?.order ?? -1) + 1)
    this.#kept.set(kept.node.nodeId, kept)
    return kept
  }

  /** Its terminal was closed: a caller's node is stopped; any other is removed, and its children move up. */
  #lose(kept: Kept, now: number): void {
    const { node } = kept
    if (kept.isKept) {
      node.terminalId = null
      const isOver = node.status === 'done' || node.status === 'error'
      this.#setStatus(kept, isOver ? node.status : 'stopped', now)
      return
    }
    this.#takeOut(node, now)
  }

  /** Removes a node and moves its children up to its parent. */
  #takeOut(node: LineageNode, now: number): void {
    for (const { nodeId } of this.#childrenOf(node.nodeId)) this.#move({ nodeId, parentId: node.parentId }, now)
    this.#kept.delete(node.nodeId)
  }

  #setStatus({ node }: Kept, status: NodeStatus, now: number): void {
    if (node.status !== status) Object.assign(node, { status, updatedAt: now })
  }

  #nextId(now: number): string {
    this.#made += 1
    return `node-${now.toString(36)}-${this.#made.toString(36).padStart(4, '0')}`
  }

  /** A node by its id or by that of its terminal. */
  #find(nodeId: string): Kept {
    const kept = this.#known(nodeId)
    if (kept === undefined) throw nodeNotFound(nodeId)
    return kept
  }

  #known(nodeId: string): Kept | undefined {
    return this.#kept.get(nodeId) ?? this.#byTerminal().get(nodeId)
  }

  #parent(nodeId: string): LineageNode {
    const kept = this.#known(nodeId)
    if (kept === undefined) throw invalidInput(`Parent node "${nodeId}" not found`, '')
    return kept.node
  }

  #assertRoom(): void {
    const count = [...this.#kept.values()].filter(({ isKept }) => isKept).length
    if (count >= lineageNodesMax)
      throw limitReached(`There are ${lineageNodesMax} nodes already.`, 'Remove some first.')
  }
}

const nodeNotFound = (nodeId: string) => invalidInput(`Node "${nodeId}" not found`, '')
