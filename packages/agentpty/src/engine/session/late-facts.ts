/** Facts of the kernel that come late, as on a busy machine: without any, a terminal at rest counts as busy. */

import type { Clock } from '../../contracts/ports.ts'
import type { Turn } from '../turn/turn.ts'

/** The conditions of a look at whose turn it is. */
export const anyReady = { conditions: [{ kind: 'ready', confidence: 'low' }] } as const

/** How long the first facts may take. */
const lateFactsMs = 500

/** Judges, and judges again where no facts had come by then and some come within half a second. */
export async function onceWithFacts<Judged>(
  turn: Pick<Turn, 'facts' | 'nextFacts' | 'watch'>,
  clock: Pick<Clock, 'now'>,
  judge: () => Promise<Judged>,
): Promise<Judged> {
  const release = turn.watch()
  try {
    const judged = await judge()
    if (turn.facts.facts !== null) return judged
    await turn.nextFacts(clock.now() + lateFactsMs)
    return turn.facts.facts === null ? judged : await judge()
  } finally {
    release()
  }
}
