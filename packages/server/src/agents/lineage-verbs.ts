/** The verbs of the lineage: each first brings it up to date with the terminals that there are. */

import { type Clock, defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import type {
  Agents,
  AgentTerminals,
  KeptAgent,
  LineageChange,
  LineageNode,
  TerminalStart,
} from '@agentpty/protocol/agents'
import type { ListedTerminal, ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import type { Handlers } from '../call/index.ts'
import { closeTerminal, terminalsOf } from './agent-terminals.ts'
import { resumeAgent, type Within } from './go-on.ts'
import type { KeptByTerminal } from './kept-nodes.ts'
import type { Lineage } from './lineage.ts'
import { endings, goneAgents, rollUps } from './lineage-usage.ts'
import { type Spawning, spawnAgent } from './spawn.ts'
import type { SpawnRequest } from './start-of.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

interface LineageParts {
  readonly lineage: Lineage
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
  readonly spawning: Spawning
  /** Brings it up to date. Errors: as for nodes that are not there, for those that the caller does not see. */
  readonly seenBy: (terminals: AgentTerminals, nodeIds: readonly string[]) => Promise<readonly ListedTerminal[]>
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
      // The lineage changes its own nodes in place.
      return { node: lineage.seen([node], scope)[0] ?? { ...node } }
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
      return lineage.changedNodes()
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

interface Moment {
  readonly listed: readonly ListedTerminal[]
  readonly now: number
  readonly scope: string | null
}

/**
 * Applies what callers change in the lineage, once it knows which terminals there are.
 *
 * Errors: `invalid_input`, `limit_reached`, `session_not_found`.
 */
function changeLineage(change: LineageChange, lineage: Lineage, { listed, now, scope }: Moment): LineageNode {
  if (change.kind === 'describe') return lineage.describe(withoutKind(change), now)
  if (change.kind === 'move') return lineage.move(change, now)
  if (change.kind === 'remove') return lineage.removeAlone(change.nodeId, now)
  const { terminalId } = change
  return lineage.add({ ...change, terminalId: terminalId === null ? null : idOf(terminalId, listed) }, now, scope)
}

function withoutKind<Change extends LineageChange>({ kind: _kind, ...rest }: Change): Omit<Change, 'kind'> {
  return rest
}

function idOf(asked: string, listed: readonly ListedTerminal[]): string {
  const found = listed.find(({ terminalId, name }) => asked === terminalId || asked === name)
  if (found !== undefined) return found.terminalId
  throw new TermError('session_not_found', `No terminal "${asked}".`, 'Choose one of terminal_list.')
}

/** Errors: those of a terminal that cannot be closed, if the nodes are to be removed. */
async function stopLineage(
  { nodeId, nodes }: ParsedVerbInput<'stopLineage'>,
  terminals: AgentTerminals,
  { lineage, clock }: { readonly lineage: Lineage; readonly clock: Clock },
): Promise<VerbOutput<'stopLineage'>> {
  const subtree = lineage.subtree(nodeId)
  const count = subtree.length
  // While terminals are closed one after the other, others look at the lineage.
  lineage.hold(nodeId)
  if (nodes === 'keep') return { nodes: count, ...(await stopAll(subtree, terminals, { lineage, clock })) }
  // A removed subtree must not keep running unseen.
  for (const { terminalId } of subtree) if (terminalId !== null) await closeTerminal(terminalId, terminals)
  lineage.remove(nodeId)
  return { nodes: count, stopped: count, failed: [] }
}

/** Children first, while their parents are still there. */
async function stopAll(
  subtree: readonly LineageNode[],
  terminals: AgentTerminals,
  { lineage, clock }: { readonly lineage: Lineage; readonly clock: Clock },
) {
  const failed: { label: string; message: string }[] = []
  const running = subtree.filter(({ kind, status }) => kind === 'agent' && !endings.has(status))
  for (const { nodeId, label, terminalId } of running.toReversed()) {
    try {
      if (terminalId !== null) await closeTerminal(terminalId, terminals)
      lineage.bind(nodeId, null, 'stopped', clock.wall())
    } catch (error) {
      if (!isTermError(error)) throw error
      failed.push({ label, message: error.message })
    }
  }
  return { stopped: running.length - failed.length, failed }
}

/** Starts a node's command again in a new terminal. Errors: `invalid_input` if it runs or cannot be started; those of `spawn`, `resume`. */
async function retryNode(nodeId: string, terminals: AgentTerminals, spawning: Spawning): Promise<VerbOutput<'retry'>> {
  const { lineage, instructing } = spawning
  const [node] = lineage.subtree(nodeId)
  const { start, lastTerminal } = lineage.startOf(nodeId)
  if (node === undefined || !endings.has(node.status))
    throw invalidInput(`${node?.label ?? nodeId} has not ended.`, 'Stop it first.')
  if (lastTerminal === null || start === null)
    throw invalidInput(`${node.label} never had a terminal.`, 'Open one with agentpty new.')
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
  if (start.hasWalls) throw invalidInput(`${label} ran behind walls.`, 'Open it again with the same sandbox.')
  if (start.shell !== null) return defined({ ...again, shell: start.shell })
  const last = start.argv.at(-1) ?? ''
  if (start.argv.length === 0 || last === '' || last.endsWith('…'))
    throw invalidInput(`The command of ${label} was too long to be kept.`, 'Open it by hand.')
  return { ...defined(again), command }
}

/** The verbs of agents. Each reaches terminals by calls of its own caller. */
export const agentHandlers = {
  agents: (engine, input, context, call) => engine.agents.agents(input, terminalsOf(engine, context, call)),
  artifact: (engine, input, context, call) => engine.agents.artifact(input, terminalsOf(engine, context, call)),
  awaitAgents: (engine, input, context, call) => engine.agents.awaitAgents(input, terminalsOf(engine, context, call)),
  changeLineage: (engine, input, context, call) =>
    engine.agents.changeLineage(input, terminalsOf(engine, context, call)),
  fork: (engine, input, context, call) => engine.agents.fork(input, terminalsOf(engine, context, call)),
  inbox: (engine, input, context, call) => engine.agents.inbox(input, terminalsOf(engine, context, call)),
  instruct: (engine, input, context, call) => engine.agents.instruct(input, terminalsOf(engine, context, call)),
  keepAnswer: (engine, input, context, call) => engine.agents.keepAnswer(input, terminalsOf(engine, context, call)),
  lineage: (engine, input, context, call) => engine.agents.lineage(input, terminalsOf(engine, context, call)),
  resume: (engine, input, context, call) => engine.agents.resume(input, terminalsOf(engine, context, call)),
  retry: (engine, input, context, call) => engine.agents.retry(input, terminalsOf(engine, context, call)),
  sendMessage: (engine, input, context, call) => engine.agents.sendMessage(input, terminalsOf(engine, context, call)),
  sentMessages: (engine, input, context, call) => engine.agents.sentMessages(input, terminalsOf(engine, context, call)),
  spawn: (engine, input, context, call) => engine.agents.spawn(input, terminalsOf(engine, context, call)),
  stopLineage: (engine, input, context, call) => engine.agents.stopLineage(input, terminalsOf(engine, context, call)),
} satisfies Partial<Handlers>
