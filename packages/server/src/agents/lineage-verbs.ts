/** The verbs of the lineage: each first brings it up to date with the terminals that there are. */

import type { Clock } from '@agentpty/protocol'
import type { Agents, AgentTerminals, LineageNode } from '@agentpty/protocol/agents'
import { changeLineage, stopLineage } from './change-lineage.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { Lineage, Listed } from './lineage.ts'
import { goneAgents } from './lineage-usage.ts'
import { retryNode } from './retry-node.ts'
import { rollUps } from './roll-up.ts'
import type { Spawning } from './spawn.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

interface LineageParts {
  readonly lineage: Lineage
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
  readonly spawning: Spawning
  /** Brings it up to date. Errors: as for nodes that are not there, for those that the caller does not see. */
  readonly seenBy: (terminals: AgentTerminals, nodeIds: readonly string[]) => Promise<readonly Listed[]>
}

type LineageVerbs = Pick<Agents, 'lineage' | 'changeLineage' | 'stopLineage' | 'retry' | 'lineageOf'>

export function lineageVerbs({ lineage, clock, kept, transcripts, spawning, seenBy }: LineageParts): LineageVerbs {
  return {
    async lineage({ nodeId }, terminals) {
      const listed = await seenBy(terminals, nodeId === undefined ? [] : [nodeId])
      const all = nodeId === undefined ? lineage.all() : lineage.subtree(nodeId)
      const nodes = lineage.seen(all, scopeIn(terminals))
      const paused = new Set(listed.flatMap((one) => (one.isPaused === true ? [one.terminalId] : [])))
      const shown = new Set(nodes.flatMap(({ terminalId }) => (terminalId === null ? [] : [terminalId])))
      await transcripts.look([...shown].filter((id) => kept.agentOf(id) !== null))
      const open = new Set(listed.map(({ terminalId }) => terminalId))
      const gone = await goneAgents({ shown, open, scope: scopeIn(terminals) }, { kept, transcripts })
      const usageOf = (id: string) => transcripts.usageOf(id)
      return { nodes, rollUps: rollUps(nodes, { now: clock.wall(), isPaused: (id) => paused.has(id), usageOf, gone }) }
    },
    async changeLineage({ change }, terminals) {
      const { nodeId, parentId, terminalId }: NamedNodes = change
      const named = [nodeId, parentId, terminalId].filter((one) => typeof one === 'string')
      const listed = await seenBy(terminals, named)
      const scope = scopeIn(terminals)
      if (change.kind === 'remove') lineage.assertWhole(change.nodeId, scope)
      const node = changeLineage(change, lineage, { listed, now: clock.wall(), scope: scope ?? null })
      return { node: lineage.seen([node], scope)[0] ?? copyOf(node) }
    },
    async stopLineage(request, terminals) {
      await seenBy(terminals, [request.nodeId])
      lineage.assertWhole(request.nodeId, scopeIn(terminals))
      return stopLineage(request, terminals, { lineage, clock })
    },
    async retry({ nodeId }, terminals) {
      await seenBy(terminals, [nodeId])
      return retryNode(nodeId, terminals, spawning)
    },
    lineageOf(all, overTime) {
      const opened = new Map(all.map((one) => [one.terminalId, one]))
      lineage.sync(all, clock.wall(), (id) => opened.get(id) ?? { scope: null, start: null }, overTime)
      return lineage.told()
    },
  }
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
