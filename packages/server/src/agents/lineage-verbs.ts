/** The verbs of the lineage: each first brings it up to date with the terminals that there are. */

import { type Clock, isTermError, TermError } from '@agentpty/protocol'
import type { Agents, AgentTerminals, LineageChange, LineageNode } from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { closeTerminal } from './close-terminal.ts'
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

/** Applies what callers change in the lineage, once it knows which terminals there are. */

const overStatuses: ReadonlySet<LineageNode['status']> = new Set<LineageNode['status']>(['stopped', 'error', 'done'])

interface Moment {
  readonly listed: readonly Listed[]
  readonly now: number
  /** Of the caller. */
  readonly scope: string | null
}

/** Errors: `invalid_input`, `limit_reached`, `session_not_found`. */
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

function idOf(asked: string, listed: readonly Listed[]): string {
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
  // What is removed from the lineage must not go on unseen.
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
  const running = subtree.filter(({ kind, status }) => kind === 'agent' && !overStatuses.has(status))
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
