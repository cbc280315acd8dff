/** Where the rows of all rooms come from: the terminals that there are, how each of them is, and what needs a person. */

import type { Need } from '../needs/need.ts'
import type { OverviewEvent, OverviewNode, OverviewRow } from '../session/overview-event.ts'
import { stateWords } from '../session/state-words.ts'

export type Row = OverviewRow

export interface Overview {
  /** In the order in which they were opened. A row that has not changed is the same object. */
  readonly rows: readonly Row[]
  /** What callers have added to the lineage, or said of it. */
  readonly nodes: readonly OverviewNode[]
  /** The newest last. */
  readonly needs: readonly Need[]
}

/** A client of the wire, for this. */
export interface OverviewSource {
  watch(options: { readonly overview: true; readonly signal: AbortSignal }): AsyncIterable<OverviewEvent>
}

/** Goes on until the signal aborts or the connection ends. Errors: those of `watch`. */
export async function followOverview(
  client: OverviewSource,
  show: (overview: Overview) => void,
  signal: AbortSignal,
): Promise<void> {
  let overview: Overview = { rows: [], nodes: [], needs: [] }
  for await (const event of client.watch({ overview: true, signal })) {
    if (signal.aborted) return
    overview = changedBy(overview, event)
    show(overview)
  }
}

export function changedBy(before: Overview, { isWhole, terminals, gone, nodes, needs }: OverviewEvent): Overview {
  const rows = new Map(isWhole ? [] : before.rows.map((row) => [row.terminalId, row]))
  for (const id of gone) rows.delete(id)
  for (const row of terminals) rows.set(row.terminalId, row)
  return { rows: [...rows.values()], nodes: nodes ?? before.nodes, needs: needs ?? before.needs }
}

export const nameOf = ({ name, terminalId }: Row): string => name ?? terminalId

export const rowWords = (row: Row): string => stateWords({ ...row, isAgent: row.agent !== null })

/** Returns the words for a lease, empty where everybody may type. `own`: the name under which the reader has taken terminals over. */
export function holderWords({ mayType, takenBy }: Pick<Row, 'mayType' | 'takenBy'>, own: string | null): string {
  if (mayType === 'both') return ''
  if (mayType === 'agent') return 'agents only'
  if (takenBy === null) return 'taken over'
  return takenBy === own ? 'taken by you' : `taken by ${takenBy}`
}

export type Tone = 'asks' | 'working' | 'idle' | 'failed' | 'ended'

export function toneOf({ state, need, exitCode, signal, isPaused }: Row): Tone {
  if (state === 'exited') return (exitCode ?? 0) !== 0 || signal !== null ? 'failed' : 'ended'
  if (need !== null) return 'asks'
  return state === 'busy' && !isPaused ? 'working' : 'idle'
}
