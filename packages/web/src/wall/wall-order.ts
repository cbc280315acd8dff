/** The order of the tiles on the wall: those that ask, those that work, then the others. */

import { type Row, type Tone, type TreeRow, toneOf } from '@agentpty/protocol/overview'

export interface WallOptions {
  /** The terminals with a need. */
  readonly asking: ReadonlySet<string>
  /** Null for all terminals that have not ended. */
  readonly tone: Tone | null
  readonly withEnded: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface WallGroup {
  /** The id of the entry at the top of its tree; empty for terminals that are in no tree. */
  readonly id: string
  readonly label: string
  readonly rows: readonly Row[]
}

/** A terminal counts as working after this time, and for this time afterwards. Tiles would change places at each command otherwise. */
const steadyMs = 10_000

/** Returns the rows in their order. Of equal ones, the order of the tree is kept. */
export function wallRows(tree: readonly TreeRow[], options: WallOptions): readonly Row[] {
  const rows = tree.flatMap(({ row }) => (row !== null && isShown(row, options) ? [row] : []))
  return rows.toSorted((one, other) => rankOf(one, options) - rankOf(other, options))
}

/** Groups the rows by their trees. A group comes as early as its first row. */
export function wallGroups(
  tree: readonly TreeRow[],
  rows: readonly Row[],
  labelOf: (entry: TreeRow) => string,
): readonly WallGroup[] {
  const tops = topsOf(tree)
  const groups = new Map<string, { label: string; rows: Row[] }>()
  for (const row of rows) {
    const top = tops.get(row.terminalId)
    const isAlone = top === undefined || (top.row !== null && top.below.count === 0)
    const id = isAlone ? '' : top.id
    const group = groups.get(id) ?? { label: isAlone ? 'Others' : labelOf(top), rows: [] }
    group.rows.push(row)
    groups.set(id, group)
  }
  const isLast = (id: string) => (id === '' ? 1 : 0)
  return [...groups]
    .map(([id, group]) => ({ id, ...group }))
    .toSorted((one, other) => isLast(one.id) - isLast(other.id))
}

/** The entry at the top of each terminal's tree. A tree is listed from its top downwards. */
function topsOf(tree: readonly TreeRow[]): ReadonlyMap<string, TreeRow> {
  const tops = new Map<string, TreeRow>()
  let top: TreeRow | null = null
  for (const entry of tree) {
    if (entry.depth === 0 || top === null) top = entry
    tops.set(entry.id, top)
  }
  return tops
}

function isShown(row: Row, { tone, asking, withEnded }: WallOptions): boolean {
  if (tone !== null) return (asking.has(row.terminalId) ? 'asks' : toneOf(row)) === tone
  return withEnded || row.state !== 'exited'
}

function rankOf(row: Row, { asking, now }: WallOptions): number {
  if (asking.has(row.terminalId)) return 0
  const isSteady = now - row.since >= steadyMs
  const tone = toneOf(row)
  if (tone === 'working') return isSteady ? 1 : 2
  return tone === 'ended' || tone === 'failed' ? 3 : 2
}
