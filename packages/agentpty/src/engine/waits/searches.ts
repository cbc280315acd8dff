/** The searches that a wait's text and pattern conditions need, each remembering how far it has looked. */

import type { Condition } from '../../contracts/conditions.ts'
import type { Offset } from '../../contracts/units.ts'
import { Search, type SearchLog } from './search.ts'

export type Found = (condition: Condition, log: SearchLog, end: Offset, echoes: boolean) => boolean

export function searchesFor(conditions: readonly Condition[], since: Offset, typed: string): Found {
  const searches = new Map<Condition, Search>()
  for (const condition of conditions) {
    if (condition.kind !== 'text' && condition.kind !== 'pattern') continue
    searches.set(condition, new Search({ find: condition, since, typed }))
  }
  return (condition, log, end, echoes) => searches.get(condition)?.found(log, end, echoes) ?? false
}
