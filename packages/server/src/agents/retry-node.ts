/** Starts what has ended again: the same command, folder and name, in a new terminal that takes the place of the old one. */

import { defined, TermError } from '@agentpty/protocol'
import type { AgentTerminals, KeptAgent, LineageNode, NodeStatus, TerminalStart } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { closeTerminal } from './close-terminal.ts'
import { resumeAgent } from './go-on.ts'
import type { SpawnRequest } from './plan-start.ts'
import { type Spawning, spawnAgent } from './spawn.ts'

const ended: ReadonlySet<NodeStatus> = new Set<NodeStatus>(['error', 'stopped', 'done'])

/** Errors: `invalid_input` for what runs, or cannot be started again; `spawn_failed`; those of `spawn` and `resume`. */
export async function retryNode(
  nodeId: string,
  terminals: AgentTerminals,
  spawning: Spawning,
): Promise<VerbOutput<'retry'>> {
  const { lineage, instructing } = spawning
  const [node] = lineage.subtree(nodeId)
  const { start, lastTerminal } = lineage.startOf(nodeId)
  if (node === undefined || !ended.has(node.status))
    throw new TermError('invalid_input', `${node?.label ?? nodeId} has not ended.`, 'Stop it first.')
  if (lastTerminal === null || start === null)
    throw new TermError('invalid_input', `${node.label} never had a terminal.`, 'Open one with agentpty new.')
  // Its scope is the one that its caller sees, so the agent that ran there is one of its own.
  const agent = instructing.kept.agentOf(lastTerminal)
  const opened =
    agent?.conversation != null
      ? await goOn(node, lastTerminal, { terminals, spawning })
      : await spawnAgent(requestOf(node, start, agent), terminals, spawning)
  if (opened.terminal === null || opened.node === null)
    throw new TermError('spawn_failed', `The program of ${node.label} is not there any more.`, 'Open it by hand.')
  return { terminalId: opened.terminal.terminalId, node: opened.node }
}

interface Within {
  readonly terminals: AgentTerminals
  readonly spawning: Spawning
}

/** With its conversation, at its old place. */
async function goOn({ nodeId, terminalId: old }: LineageNode, agentId: string, { terminals, spawning }: Within) {
  const { lineage, clock } = spawning
  lineage.hold(nodeId)
  if (old !== null) await closeTerminal(old, terminals)
  const { terminal } = await resumeAgent({ agentId, waitTimeoutMs: 0 }, terminals, spawning)
  if (terminal === null) return { terminal, node: null }
  return { terminal, node: { ...lineage.bind(nodeId, terminal.terminalId, 'running', clock.wall()) } }
}

/** Errors: `invalid_input` where not all that it was started with is known. */
function requestOf({ nodeId, label, cwd }: LineageNode, start: TerminalStart, agent: KeptAgent | null): SpawnRequest {
  const again = { nodeId, label: start.name ?? label, cwd: cwd ?? undefined, waitTimeoutMs: 0 }
  const command: string[] = [...start.argv]
  if (agent !== null) {
    const { model, sandbox } = agent.start ?? {}
    return defined({ ...again, agent: agent.type, model: model ?? undefined, sandbox: sandbox ?? undefined })
  }
  if (start.hasWalls)
    throw new TermError('invalid_input', `${label} ran behind walls.`, 'Open it again with the same sandbox.')
  if (start.shell !== null) return defined({ ...again, shell: start.shell })
  const last = start.argv.at(-1) ?? ''
  if (start.argv.length === 0 || last === '' || last.endsWith('…'))
    throw new TermError('invalid_input', `The command of ${label} was too long to be kept.`, 'Open it by hand.')
  return { ...defined(again), command }
}
