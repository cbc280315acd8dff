/** Where the rows of all rooms come from: the terminals that there are, how each of them is, and what needs a person. */

import type { NodeStatus } from '../agents/lineage.ts'
import type { Need } from '../needs.ts'
import type { OverviewEvent, OverviewNode, OverviewRow } from '../session/overview-event.ts'
import { overridingStatus, stateWords, statusWords } from '../session/state-words.ts'

export type Row = OverviewRow

export interface Overview {
  /** In the order in which they were opened. A row that has not changed is the same object. */
  readonly rows: readonly Row[]
  /** Additions and changes by callers to the lineage. */
  readonly nodes: readonly OverviewNode[]
  /** The newest last. */
  readonly needs: readonly Need[]
}

/** A client of the wire, for this. */
interface OverviewSource {
  watch(options: { readonly overview: true; readonly signal: AbortSignal }): AsyncIterable<OverviewEvent>
}

/** Runs until the signal aborts or the connection ends. Errors: those of `watch`. */
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

/** A line of the tree: a terminal with the callers' notes on it, or a group or an agent without a terminal. */
export type Entry =
  | { readonly id: string; readonly row: Row; readonly node: OverviewNode | null }
  | { readonly id: string; readonly row: null; readonly node: OverviewNode }

/** A terminal name that a person has given takes precedence over the label of its node. */
export function entryName({ row, node }: Entry): string {
  if (row === null) return node.label
  return row.name ?? (node === null || node.label === '' ? nameOf(row) : node.label)
}

export const isGroup = ({ row, node }: Entry): boolean => row === null && node.kind === 'group'

/** Null for a group without a status of its own: its tone follows from the entries below it. */
export function entryTone(entry: Entry): Tone | null {
  const { row, node } = entry
  if (row === null) {
    if (node.status === null || (node.kind === 'group' && node.status === 'idle')) return null
    return tones[node.status]
  }
  const said = saidOf(entry)
  const own = toneOf(row)
  return said === null || own === 'asks' ? own : tones[said]
}

/** Describes its activity in a word or two; empty for a group without a status. */
export function entryWords(entry: Entry): string {
  const { row, node } = entry
  if (row === null) return entryTone(entry) === null || node.status === null ? '' : statusWords[node.status]
  const said = saidOf(entry)
  return said === null || toneOf(row) === 'asks' ? rowWords(row) : statusWords[said]
}

/** It has failed or was stopped, so that it can be started again. */
export function isOver(entry: Entry): boolean {
  if (entry.row !== null) return entry.row.state === 'exited'
  const { status, kind } = entry.node
  return kind === 'agent' && (status === 'error' || status === 'stopped' || status === 'done')
}

const saidOf = ({ row, node }: Entry): NodeStatus | null =>
  row === null ? null : overridingStatus(node?.status ?? null, row)

const tones: Readonly<Record<NodeStatus, Tone>> = {
  idle: 'idle',
  queued: 'idle',
  starting: 'working',
  running: 'working',
  blocked: 'asks',
  'waiting-input': 'asks',
  stopping: 'working',
  stopped: 'ended',
  error: 'failed',
  done: 'ended',
  disconnected: 'failed',
}

// Selects the needs that are sent to a person elsewhere.

/** Age at which an unanswered need is sent. */
const notifyAfterMs = 10_000

/** Returns the needs that are old enough and not sent before. `wallNow`: milliseconds since 1970. */
export function dueNeeds(open: readonly Need[], notified: ReadonlySet<string>, wallNow: number): readonly Need[] {
  return open.filter(({ needId, since }) => wallNow - since >= notifyAfterMs && !notified.has(needId))
}
