/**
 * Agents of a server: which was started from which, what each has answered, and which waits for which. This state is
 * kept as long as the daemon lives; the state of a terminal is read again for each call.
 */

import type { Agents, AgentTerminals } from '../../contracts/agents/agents.ts'
import type { LineageNode } from '../../contracts/agents/lineage.ts'
import type { Clock } from '../../contracts/ports.ts'
import { Artifacts } from './artifacts.ts'
import { capture } from './capture.ts'
import { changeLineage, stopLineage } from './change-lineage.ts'
import { Lineage, type Listed } from './lineage.ts'
import { waitForAgents } from './pipeline.ts'
import { spawnAgent } from './spawn.ts'

export function makeAgents(clock: Clock): Agents {
  const lineage = new Lineage()
  const artifacts = new Artifacts()
  const sync = async (terminals: AgentTerminals): Promise<readonly Listed[]> => {
    const { terminals: listed } = await terminals.call('list', {})
    lineage.sync(listed, clock.wall())
    return listed
  }
  return {
    spawn: (request, terminals) => spawnAgent(request, terminals, { lineage, clock }),
    pipeline: async (request, terminals) => ({ agents: [...(await waitForAgents(request, terminals, clock))] }),
    async artifact(request, terminals) {
      const terminalId = terminals.idOf(request.terminalId)
      const kept = artifacts.find(terminalId)
      if (request.capture === 'missing' && kept !== null) return { artifact: kept }
      const output = await capture(request, terminals)
      return { artifact: output === null ? kept : artifacts.keep(terminalId, output, clock.wall()) }
    },
    async lineage({ nodeId }, terminals) {
      await sync(terminals)
      const nodes = nodeId === undefined ? lineage.all() : lineage.subtree(nodeId)
      return { nodes: nodes.map(copyOf) }
    },
    async changeLineage({ change }, terminals) {
      const listed = await sync(terminals)
      return { node: copyOf(changeLineage(change, lineage, { listed, now: clock.wall() })) }
    },
    async stopLineage(request, terminals) {
      await sync(terminals)
      return stopLineage(request, terminals, { lineage, clock })
    },
  }
}

/** The lineage changes its own nodes in place. */
function copyOf(node: LineageNode): LineageNode {
  return { ...node }
}
