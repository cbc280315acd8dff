/** Nodes of the lineage: how one begins, which are kept for the next server, and which of those it still wants. */

import { isTermError, type Millis } from '@agentpty/protocol'
import type { KeptLineage, KeptNode, LineageNode, LineageStore } from '@agentpty/protocol/agents'

/** What has ended, and groups in which nothing is left, are forgotten then. */
export const keptNodesMs: Millis = 7 * 24 * 3_600_000

export type Mutable = { -readonly [Field in keyof LineageNode]: LineageNode[Field] }
export type Kept = { -readonly [Field in keyof KeptNode]: KeptNode[Field] } & { readonly node: Mutable }

export type Draft = Omit<LineageNode, 'status' | 'updatedAt' | 'lastAction' | 'summary' | 'order' | 'cwd'> & {
  readonly openedFrom?: string | null
}

export function newNode({ openedFrom = null, ...draft }: Draft, order: number): Kept {
  const unsaid = { status: 'idle', lastAction: null, summary: null, cwd: null } as const
  return {
    node: { ...draft, ...unsaid, order, updatedAt: draft.createdAt },
    isKept: false,
    isTold: false,
    openedFrom,
    given: null,
    scope: null,
    start: null,
    lastTerminal: null,
  }
}

export const nowhere: LineageStore = { loadLineage: () => [], saveLineage: () => {} }

/** Saves what has changed, and nothing else. */
export class NodeStore {
  readonly #store: LineageStore
  #savedText = '[]'

  constructor(store: LineageStore) {
    this.#store = store
  }

  load(now: number): readonly Kept[] {
    return stillWanted(this.#store.loadLineage(), now).map((kept) => ({ ...kept, node: { ...kept.node } }))
  }

  /** Errors: those of {@link LineageStore.saveLineage}; it is saved with the next change then. */
  save(all: readonly KeptNode[]): void {
    const kept = nodesToKeep(all)
    const text = JSON.stringify(kept)
    if (text === this.#savedText) return
    this.#store.saveLineage(kept)
    this.#savedText = text
  }

  /** Nobody has asked for this change: who asks for one is told that the disk is full, say. */
  saveWhenPossible(all: readonly KeptNode[]): void {
    try {
      this.save(all)
    } catch (error) {
      if (!isTermError(error)) throw error
    }
  }
}

/** What callers have made, described or moved. How those with a terminal are is read from that again. */
export function nodesToKeep(all: readonly KeptNode[]): KeptLineage {
  const terminalOf = new Map(all.map(({ node }) => [node.nodeId, node.terminalId]))
  return all.flatMap((kept) => {
    const { node, isKept, isTold, openedFrom } = kept
    const above = node.parentId === null ? null : (terminalOf.get(node.parentId) ?? node.parentId)
    const isElsewhere = node.terminalId !== null && above !== openedFrom
    if (!isKept && !isTold && !isElsewhere) return []
    const status = node.terminalId === null ? {} : { status: 'idle' as const, updatedAt: node.createdAt }
    return [{ ...kept, node: { ...node, ...status } }]
  })
}

/** Without those that have no terminal and nothing below them, and did not change for {@link keptNodesMs}. */
export function stillWanted(kept: KeptLineage, now: number): KeptLineage {
  const parents = new Set(kept.map(({ node }) => node.parentId))
  const isWanted = ({ node }: KeptNode) =>
    node.terminalId !== null || parents.has(node.nodeId) || now - node.updatedAt <= keptNodesMs
  const wanted = kept.filter(isWanted)
  return wanted.length === kept.length ? kept : stillWanted(wanted, now)
}
