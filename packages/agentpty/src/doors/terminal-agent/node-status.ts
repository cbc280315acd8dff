/** What a node's status says, from its terminal and from what callers told. */

import type { Kind } from '../../contracts/session/verdict.ts'
import type { Listed } from './call-verbs.ts'
import type { NodeStatus } from './contract.ts'

/** At rest until somebody gives them something to do; whatever else waits has asked something. */
const restingKinds: ReadonlySet<Kind | undefined> = new Set<Kind>(['shell', 'agent'])
const endings: ReadonlySet<NodeStatus | null> = new Set<NodeStatus>(['done', 'error', 'stopped'])

type Turn = Pick<Listed, 'state' | 'kind' | 'needs' | 'exitCode'>

/** What a caller told holds while the terminal lives; how it ended only another ending can gainsay. */
export function statusOf({ state, kind, needs, exitCode }: Turn, told: NodeStatus | null): NodeStatus {
  if (state === 'exited') {
    if (told !== null && endings.has(told)) return told
    return exitCode === 0 ? 'done' : 'error'
  }
  if (told !== null) return told
  if (state === 'busy') return 'running'
  return needs !== 'answer' && restingKinds.has(kind) ? 'idle' : 'waiting-input'
}
