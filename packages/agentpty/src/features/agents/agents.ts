/**
 * Agents of a server: which was started from which, what each was asked to do and has answered, and which waits for which. Tasks and
 * answers outlive the server; the lineage is kept as long as it lives; the state of a terminal is read again for each call.
 */

import type { Adapter } from '../../contracts/agents/adapter.ts'
import { knownAdapters } from '../../contracts/agents/adapters-table.ts'
import type { Agents, AgentTerminals } from '../../contracts/agents/agents.ts'
import type { AgentStore } from '../../contracts/agents/kept-agents.ts'
import type { LineageNode } from '../../contracts/agents/lineage.ts'
import type { Clock } from '../../contracts/ports.ts'
import { Artifacts } from './artifacts.ts'
import { waitForAgents } from './await-agents.ts'
import { awaitingOf } from './awaiting-of.ts'
import { capture } from './capture.ts'
import { changeLineage, stopLineage } from './change-lineage.ts'
import { forkAgent, resumeAgent } from './go-on.ts'
import { instruct } from './instruct.ts'
import { KeptByTerminal } from './kept-by-terminal.ts'
import { Lineage, type Listed } from './lineage.ts'
import { listAgents } from './list-agents.ts'
import { memoryStore } from './memory-store.ts'
import { rollUps } from './roll-up.ts'
import { spawnAgent } from './spawn.ts'

export interface AgentsOptions {
  readonly store?: AgentStore
  /** As they are set now. Errors: `invalid_input`, for settings that are wrong. */
  readonly adapters?: () => readonly Adapter[]
}

export function makeAgents(
  clock: Clock,
  { store = memoryStore(), adapters = () => knownAdapters }: AgentsOptions = {},
): Agents {
  const lineage = new Lineage()
  const kept = new KeptByTerminal(store)
  const artifacts = new Artifacts(kept, store)
  const instructing = { kept, store, clock }
  const spawning = { lineage, clock, instructing, adapters }
  const sync = async (terminals: AgentTerminals): Promise<readonly Listed[]> => {
    const listed = await terminals.listAll()
    lineage.sync(listed, clock.wall(), (terminalId) => terminals.scopeOf(terminalId))
    return listed
  }
  /** Brings the lineage up to date. Errors: as for nodes that are not there, for those that the caller does not see. */
  const seenBy = async (terminals: AgentTerminals, nodeIds: readonly string[]): Promise<readonly Listed[]> => {
    const listed = await sync(terminals)
    for (const nodeId of nodeIds) lineage.assertSeen(nodeId, scopeIn(terminals))
    return listed
  }
  return {
    agents: (_request, terminals) => listAgents(kept, adapters(), terminals),
    async spawn(request, terminals) {
      if (request.nodeId !== undefined) await seenBy(terminals, [request.nodeId])
      return spawnAgent(request, terminals, spawning)
    },
    fork: (request, terminals) => forkAgent(request, terminals, spawning),
    resume: (request, terminals) => resumeAgent(request, terminals, spawning),
    async instruct({ terminalId: named, ...request }, terminals) {
      const terminalId = terminals.idOf(named)
      const asksForAnswer = request.asksForAnswer ?? isAskedForAnswers(kept.agentOf(terminalId)?.type, adapters())
      const given = { ...request, terminalId, asksForAnswer, waitFor: request.waitFor ?? ('none' as const) }
      const { task, seen } = await instruct({ ...given, isProved: true }, terminals, instructing)
      const { sent: _sent, ...rest } = seen
      return { taskId: task.taskId, ...rest }
    },
    awaitAgents: async (request, terminals) => {
      const awaiting = awaitingOf({ clock, kept, artifacts, adapters: adapters() }, terminals)
      return { agents: [...(await waitForAgents(request, terminals, awaiting))] }
    },
    async artifact(request, terminals) {
      const terminalId = terminals.idOf(request.terminalId)
      const found = artifacts.find(terminalId)
      if (request.capture === 'missing' && found !== null) return { artifact: found }
      const captured = await capture(request, terminals, kept.taskOf(terminalId))
      // An answer that was seen whole may be drawn over since.
      const isWorse = captured?.source === 'screen' && request.capture === 'answer' && found?.source === 'fences'
      if (captured === null || isWorse) return { artifact: found }
      return { artifact: artifacts.keep(terminalId, captured, clock.wall()) }
    },
    async lineage({ nodeId }, terminals) {
      const listed = await seenBy(terminals, nodeId === undefined ? [] : [nodeId])
      const all = nodeId === undefined ? lineage.all() : lineage.subtree(nodeId)
      const nodes = lineage.seen(all, scopeIn(terminals))
      const paused = new Set(listed.flatMap((one) => (one.isPaused === true ? [one.terminalId] : [])))
      return { nodes, rollUps: rollUps(nodes, { now: clock.wall(), isPaused: (id) => paused.has(id) }) }
    },
    async changeLineage({ change }, terminals) {
      const { nodeId, parentId, terminalId }: NamedNodes = change
      const named = [nodeId, parentId, terminalId].filter((one) => typeof one === 'string')
      const listed = await seenBy(terminals, named)
      const scope = scopeIn(terminals)
      const node = changeLineage(change, lineage, { listed, now: clock.wall(), scope: scope ?? null })
      return { node: lineage.seen([node], scope)[0] ?? copyOf(node) }
    },
    async stopLineage(request, terminals) {
      await seenBy(terminals, [request.nodeId])
      lineage.assertWhole(request.nodeId, scopeIn(terminals))
      return stopLineage(request, terminals, { lineage, clock })
    },
  }
}

function isAskedForAnswers(type: string | undefined, adapters: readonly Adapter[]): boolean {
  return adapters.find(({ name }) => name === type)?.asksForAnswer ?? false
}

interface NamedNodes {
  readonly nodeId?: string
  readonly parentId?: string | null
  readonly terminalId?: string | null
}

/** Undefined for a caller that sees all. */
const scopeIn = ({ context }: AgentTerminals): string | undefined => context.scope?.id

/** The lineage changes its own nodes in place. */
function copyOf(node: LineageNode): LineageNode {
  return { ...node }
}
