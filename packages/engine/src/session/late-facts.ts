/** Facts of the kernel that come late, as on a busy machine: without any, a terminal at rest counts as busy. */

import type { Clock, Millis } from '@agentpty/protocol'
import type { Turn } from '../turn/turn.ts'

/** The conditions of a look at whose turn it is. */
export const anyReady = { conditions: [{ kind: 'ready', confidence: 'low' }] } as const

/** The time that the first facts may take, and the time that judging may take where they were late. */
const lateFactsMs = 500
const lateVerdictMs = 250

/** Judges within this time, and once more with more time where no facts have come since a program that was at rest was looked at last. */
export async function onceWithFacts<Judged>(
  turn: Pick<Turn, 'facts' | 'nextFacts' | 'watch'>,
  clock: Pick<Clock, 'now'>,
  judge: (withinMs: Millis) => Promise<Judged>,
  withinMs: Millis,
): Promise<Judged> {
  const release = turn.watch()
  try {
    const judged = await judge(withinMs)
    const { facts } = turn
    if (facts.facts !== null || !facts.hasRested) return judged
    await turn.nextFacts(clock.now() + lateFactsMs)
    return facts.facts === null ? judged : await judge(Math.max(withinMs, lateVerdictMs))
  } finally {
    release()
  }
}
