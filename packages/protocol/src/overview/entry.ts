/** What a line of the tree is: a terminal, with what callers say of it, or a group or an agent without a terminal. */

import type { NodeStatus } from '../agents/lineage.ts'
import type { OverviewNode } from '../session/overview-event.ts'
import { overridingStatus, statusWords } from '../session/state-words.ts'
import { nameOf, type Row, rowWords, type Tone, toneOf } from './overview.ts'

export type Entry =
  | { readonly id: string; readonly row: Row; readonly node: OverviewNode | null }
  | { readonly id: string; readonly row: null; readonly node: OverviewNode }

/** The name of a terminal that a person has given goes before the label of its node. */
export function entryName({ row, node }: Entry): string {
  if (row === null) return node.label
  return row.name ?? (node === null || node.label === '' ? nameOf(row) : node.label)
}

export const isGroup = ({ row, node }: Entry): boolean => row === null && node.kind === 'group'

/** Null for a group of which nobody has said how it is: it is as what is below it. */
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

/** What it does, in a word or two; empty for a group of which nobody has said anything. */
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
