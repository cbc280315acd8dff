/** The status of a node, from its terminal and from what callers set. */

import type { NodeStatus } from '@agentpty/protocol/agents'
import type { Kind } from '@agentpty/protocol/session'
import type { VerbOutput } from '@agentpty/protocol/verbs'

/** Kinds that wait for work; any other program that waits has asked something. */
const restingKinds: ReadonlySet<Kind | undefined> = new Set<Kind>(['shell', 'agent'])
const endings: ReadonlySet<NodeStatus | null> = new Set<NodeStatus>(['done', 'error', 'stopped'])

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'kind' | 'needs' | 'exitCode'>

/**
 * A status that a caller set holds while the program runs; after that only a final one takes precedence over the exit
 * code.
 */
export function statusOf({ state, kind, needs, exitCode }: Turn, given: NodeStatus | null): NodeStatus {
  if (state === 'exited') {
    if (given !== null && endings.has(given)) return given
    return exitCode === 0 ? 'done' : 'error'
  }
  if (given !== null) return given
  if (state === 'busy') return 'running'
  return needs !== 'answer' && restingKinds.has(kind) ? 'idle' : 'waiting-input'
}
