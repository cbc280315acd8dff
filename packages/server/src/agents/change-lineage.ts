/** Applies what callers change in the lineage, once it knows which terminals there are. */

import { type Clock, isTermError, TermError } from '@agentpty/protocol'
import type { AgentTerminals, LineageChange, LineageNode } from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { closeTerminal } from './close-terminal.ts'
import type { Lineage, Listed } from './lineage.ts'

const overStatuses: ReadonlySet<LineageNode['status']> = new Set<LineageNode['status']>(['stopped', 'error', 'done'])

interface Moment {
  readonly listed: readonly Listed[]
  readonly now: number
  /** Of the caller. */
  readonly scope: string | null
}

/** Errors: `invalid_input`, `limit_reached`, `session_not_found`. */
export function changeLineage(change: LineageChange, lineage: Lineage, { listed, now, scope }: Moment): LineageNode {
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
export async function stopLineage(
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
