/** Nodes of the lineage: how one begins, which are kept for the next server, and which of those it still wants. */

import { artifactsMax, BoundedMap, isTermError, type Millis } from '@agentpty/protocol'
import {
  type AgentStore,
  agentsKeptMax,
  type KeptAgent,
  type KeptAgents,
  type KeptArtifact,
  type KeptLineage,
  type KeptNode,
  type KeptTask,
  type LineageNode,
  type LineageStore,
} from '@agentpty/protocol/agents'

/** After this time nodes of ended terminals and empty groups are forgotten. */
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

  /** Saves a change that no caller requested. (A caller who requests a change gets an error when the disk is full.) */
  saveWhenPossible(all: readonly KeptNode[]): void {
    try {
      this.save(all)
    } catch (error) {
      if (!isTermError(error)) throw error
    }
  }
}

/** Returns the nodes that callers have made, described or moved. The state of those with a terminal is read from the terminal again. */
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
function stillWanted(kept: KeptLineage, now: number): KeptLineage {
  const parents = new Set(kept.map(({ node }) => node.parentId))
  const isWanted = ({ node }: KeptNode) =>
    node.terminalId !== null || parents.has(node.nodeId) || now - node.updatedAt <= keptNodesMs
  const wanted = kept.filter(isWanted)
  return wanted.length === kept.length ? kept : stillWanted(wanted, now)
}

type Store = Pick<AgentStore, 'load' | 'save' | 'dropArtifact' | 'dropInstruction'>

/** The last task of each agent and its answer, by terminal, in a file that outlives the server. Above the limit the oldest are dropped. */
export class KeptByTerminal {
  /** First instructions that wait until a dialog is answered; not stored for the next server. */
  readonly pending = new Map<string, Promise<void>>()
  /** Conversations that are being loaded: what is typed meanwhile is lost. */
  readonly loading = new Map<string, Promise<void>>()
  /** Messages that are being typed. A new task waits for them. */
  readonly typing = new Map<string, Promise<void>>()
  /** The first lines of tasks, by their ids; of those alone that this server has given. */
  readonly taskLines = new BoundedMap<string, string>(agentsKeptMax)
  /** Tasks that are being given: no message is typed meanwhile. */
  readonly #claims = new Map<string, Promise<unknown>>()
  readonly #store: Store
  #kept: KeptAgents

  constructor(store: Store) {
    this.#store = store
    this.#kept = store.load()
  }

  /** Resolves when the task that is being given is; null where none is. */
  claimOf(terminalId: string): Promise<void> | null {
    const claim = this.#claims.get(terminalId)
    return claim === undefined ? null : claim.then(ignored, ignored)
  }

  /** While this gives a task, no message is begun. */
  async claim<Result>(terminalId: string, give: () => Promise<Result>): Promise<Result> {
    const before = this.#claims.get(terminalId)
    const giving = give()
    const claim = Promise.allSettled([before, giving])
    this.#claims.set(terminalId, claim)
    try {
      return await giving
    } finally {
      void claim.then(() => {
        if (this.#claims.get(terminalId) === claim) this.#claims.delete(terminalId)
      })
    }
  }

  agentOf(terminalId: string): KeptAgent | null {
    return this.#kept.agents[terminalId] ?? null
  }

  /** With the ids of their terminals, the newest last. */
  all(): readonly (readonly [terminalId: string, agent: KeptAgent])[] {
    return Object.entries(this.#kept.agents)
  }

  isOfAnother(conversation: string, terminalId: string): boolean {
    return this.all().some(([other, agent]) => other !== terminalId && agent.conversation === conversation)
  }

  /** The agent was found to be in this conversation; nothing where it is known to be in one already. Errors: `machine_unfit`. */
  foundIn(terminalId: string, conversation: string): void {
    const agent = this.agentOf(terminalId)
    if (agent === null || agent.conversation !== null) return
    // It keeps its place: it is not the newest by that.
    this.#save({ ...this.#kept, agents: { ...this.#kept.agents, [terminalId]: { ...agent, conversation } } })
  }

  /** Errors: `machine_unfit`. */
  started(terminalId: string, agent: KeptAgent): void {
    this.#save({ ...this.#kept, agents: newest({ ...this.#kept.agents }, terminalId, agent, agentsKeptMax) })
  }

  taskOf(terminalId: string): KeptTask | null {
    return this.#kept.tasks[terminalId] ?? null
  }

  artifactOf(terminalId: string): KeptArtifact | null {
    return this.#kept.artifacts[terminalId] ?? null
  }

  /** Errors: `machine_unfit`; then nothing has changed. */
  begin(terminalId: string, task: Omit<KeptTask, 'taskId'>): KeptTask {
    const last = this.#kept.last + 1
    const begun = { taskId: `task-${last}`, ...task }
    this.#save({ ...this.#kept, last, tasks: newest({ ...this.#kept.tasks }, terminalId, begun, agentsKeptMax) })
    return begun
  }

  /** Takes a task back that could not be given. */
  restore(terminalId: string, before: KeptTask | null): void {
    const { [terminalId]: _given, ...others } = this.#kept.tasks
    this.#save({ ...this.#kept, tasks: before === null ? others : { ...others, [terminalId]: before } })
  }

  answered(terminalId: string, artifact: KeptArtifact): void {
    this.#save({ ...this.#kept, artifacts: newest({ ...this.#kept.artifacts }, terminalId, artifact, artifactsMax) })
  }

  #save(kept: KeptAgents): void {
    this.#store.save(kept)
    const before = this.#kept
    this.#kept = kept
    const stays = new Set(Object.values(kept.tasks).map(({ taskId }) => taskId))
    for (const { taskId } of Object.values(before.tasks)) if (!stays.has(taskId)) this.#store.dropInstruction(taskId)
    for (const terminalId of Object.keys(before.artifacts))
      if (!Object.hasOwn(kept.artifacts, terminalId)) this.#store.dropArtifact(terminalId)
  }
}

const ignored = () => {}

/** With this one last, and the oldest left out when there are too many. */
function newest<Value>(all: Record<string, Value>, terminalId: string, value: Value, max: number) {
  delete all[terminalId]
  return Object.fromEntries([...Object.entries(all), [terminalId, value] as const].slice(-max))
}
