/** Ids of records: short, and never given twice, also when a process was killed before it had written those that it gave. */

import type { Clock } from '@agentpty/protocol'

const prefix = 'au-'
/** 2023-01-01. Tenths of a millisecond since then are eight characters until 2031, and nine for centuries. */
const epoch = 1_672_531_200_000
const perMs = 10

/** `last`: an id that was given before. Ids grow with time. */
export function recordIds(clock: Pick<Clock, 'wall'>, last: string | null): () => string {
  let newest = last === null ? 0 : numberOf(last)
  return () => {
    newest = Math.max(newest + 1, Math.floor((clock.wall() - epoch) * perMs))
    return `${prefix}${newest.toString(36)}`
  }
}

/** Zero for what is none. */
function numberOf(id: string): number {
  const number = Number.parseInt(id.slice(prefix.length), 36)
  return Number.isSafeInteger(number) ? number : 0
}
