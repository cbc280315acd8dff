/** Who has started whom: the terminals as a tree, with what is below each of them summed up. */

import { type Row, type Tone, toneOf } from './overview.ts'

export interface TreeRow {
  readonly row: Row
  /** 0 for one that nobody here has opened. */
  readonly depth: number
  readonly below: Below
}

/** Of all that are below one, itself not counted. */
export interface Below {
  readonly count: number
  readonly tones: Readonly<Partial<Record<Tone, number>>>
  /** Of its agents, itself included; null where none is known. */
  readonly tokens: number | null
}

/** Each below the one that has opened it, in the order in which they were opened. */
export function treeOf(rows: readonly Row[]): readonly TreeRow[] {
  const known = new Set(rows.map(({ terminalId }) => terminalId))
  const children = new Map<string | null, Row[]>()
  for (const row of rows) {
    const parent = row.parentId !== null && known.has(row.parentId) ? row.parentId : null
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [row])
    else siblings.push(row)
  }
  const tree: TreeRow[] = []
  const add = (row: Row, depth: number): Below => {
    const at = tree.length
    tree.push({ row, depth, below: nothingBelow })
    const parts = (children.get(row.terminalId) ?? []).map((child) => ({ child, below: add(child, depth + 1) }))
    const below = summed(row, parts)
    tree[at] = { row, depth, below }
    return below
  }
  for (const row of children.get(null) ?? []) add(row, 0)
  return tree
}

const nothingBelow: Below = { count: 0, tones: {}, tokens: null }

function summed(row: Row, parts: readonly { readonly child: Row; readonly below: Below }[]): Below {
  const tones: Partial<Record<Tone, number>> = {}
  const count = (tone: Tone, by: number) => {
    tones[tone] = (tones[tone] ?? 0) + by
  }
  let tokens = row.agent?.tokens ?? null
  for (const { child, below } of parts) {
    count(toneOf(child), 1)
    for (const [tone, by] of Object.entries(below.tones)) count(tone as Tone, by)
    if (below.tokens !== null) tokens = (tokens ?? 0) + below.tokens
  }
  return { count: parts.reduce((sum, { below }) => sum + 1 + below.count, 0), tones, tokens }
}

export interface TreeView {
  /** All words must be somewhere in its names, titles, tasks, commands or folder. */
  readonly text: string
  /** Null: any. */
  readonly tone: Tone | null
  /** The type of an agent, `agent` for any of them, or the kind of what it waits for; null: any. */
  readonly kind: string | null
  /** What is below these is not shown. */
  readonly collapsed: ReadonlySet<string>
}

export interface ShownRow extends TreeRow {
  /** It is there for what is below it. */
  readonly isContext: boolean
}

/** What is left of it: with a filter, what it asks for and what stands above that, collapsed or not. */
export function shownOf(tree: readonly TreeRow[], view: TreeView): readonly ShownRow[] {
  const isFiltered = view.text.trim() !== '' || view.tone !== null || view.kind !== null
  if (!isFiltered) return withoutCollapsed(tree, view.collapsed)
  const shown: ShownRow[] = []
  let above = 0
  // From the end: the next one that is less deep is what stands above.
  for (const one of tree.toReversed()) {
    const isMatch = matches(one.row, view)
    if (isMatch || one.depth < above) {
      shown.push({ ...one, isContext: !isMatch })
      above = one.depth
    }
  }
  return shown.toReversed()
}

function withoutCollapsed(tree: readonly TreeRow[], collapsed: ReadonlySet<string>): readonly ShownRow[] {
  let hiddenBelow = Number.POSITIVE_INFINITY
  return tree.flatMap((one) => {
    if (one.depth > hiddenBelow) return []
    hiddenBelow = collapsed.has(one.row.terminalId) ? one.depth : Number.POSITIVE_INFINITY
    return [{ ...one, isContext: false }]
  })
}

export function matches(row: Row, { text, tone, kind }: Omit<TreeView, 'collapsed'>): boolean {
  if (tone !== null && toneOf(row) !== tone) return false
  if (kind !== null && !kindsOf(row).includes(kind)) return false
  const { terminalId, name, title, program, cwd, agent } = row
  const all = [terminalId, name, title, program, cwd, agent?.type, agent?.task].join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** What a row can be filtered by. */
export function kindsOf({ agent, kind }: Row): readonly string[] {
  return [...(agent === null ? [] : ['agent', agent.type]), ...(kind === null ? [] : [kind])]
}
