/** Which needs a person who is elsewhere is told of. */

import type { Need } from '../needs/need.ts'

/** What has waited for so long without an answer. */
const notifyAfterMs = 10_000

/** Old enough, and not told before. `wallNow`: milliseconds since 1970. */
export function dueNeeds(open: readonly Need[], told: ReadonlySet<string>, wallNow: number): readonly Need[] {
  return open.filter(({ needId, since }) => wallNow - since >= notifyAfterMs && !told.has(needId))
}
