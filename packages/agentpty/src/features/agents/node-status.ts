/** What a node's status says, from its terminal and from what callers set. */

import type { NodeStatus } from '../../contracts/agents/lineage.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { VerbOutput } from '../../contracts/verbs/index.ts'

/** At rest until somebody gives them something to do; whatever else waits has asked something. */
const restingKinds: ReadonlySet<Kind | undefined> = new Set<Kind>(['shell', 'agent'])
const endings: ReadonlySet<NodeStatus | null> = new Set<NodeStatus>(['done', 'error', 'stopped'])

type Turn = Pick<VerbOutput<'list'>['terminals'][number], 'state' | 'kind' | 'needs' | 'exitCode'>

/** What a caller set holds while the terminal lives; after that only an ending that a caller set goes before the exit code. */
export function statusOf({ state, kind, needs, exitCode }: Turn, given: NodeStatus | null): NodeStatus {
  if (state === 'exited') {
    if (given !== null && endings.has(given)) return given
    return exitCode === 0 ? 'done' : 'error'
  }
  if (given !== null) return given
  if (state === 'busy') return 'running'
  return needs !== 'answer' && restingKinds.has(kind) ? 'idle' : 'waiting-input'
}
