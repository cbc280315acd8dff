/** The searches that a wait's text and pattern conditions need, each remembering how far it has searched. */

import type { Offset } from '@agentpty/protocol'
import type { Condition } from '@agentpty/protocol/call'
import { Search, type SearchLog } from './search.ts'

export interface Searches {
  /** Not all output has been searched: {@link SearchesOptions.again} is called. */
  readonly isBusy: () => boolean
  readonly found: (condition: Condition, log: SearchLog, end: Offset, echoes: boolean) => boolean
}

export interface SearchesOptions {
  readonly since: Offset
  readonly typed: string
  /** Called when a new check may give another result. */
  readonly again: () => void
}

export function searchesFor(conditions: readonly Condition[], options: SearchesOptions): Searches {
  const searches = new Map<Condition, Search>()
  for (const condition of conditions) {
    if (condition.kind !== 'text' && condition.kind !== 'pattern') continue
    searches.set(condition, new Search({ ...options, find: condition }))
  }
  return {
    isBusy: () => [...searches.values()].some((search) => search.isBusy),
    found: (condition, log, end, echoes) => searches.get(condition)?.found(log, end, echoes) ?? false,
  }
}
