/** The terminals as a tree of parents and children, with a summary of everything below each. */

import type { OverviewNode } from '../session/overview-event.ts'
import { type Entry, entryTone, isGroup, type Row, type Tone } from './overview.ts'

/** Its id is that of its terminal, or of its node where it has none. */
export type TreeRow = Entry & {
  /** 0 for an entry without a parent here. */
  readonly depth: number
  readonly below: Below
}

/** Summary of all entries below one, itself not counted; groups are no part of it. */
export interface Below {
  readonly count: number
  readonly tones: Readonly<Partial<Record<Tone, number>>>
  /** Sum for its agents, itself included; null where none is known. */
  readonly tokens: number | null
}

/** Each entry is below its opener, or where callers have put it: ordered ones first, then by creation. */
export function treeOf(rows: readonly Row[], nodes: readonly OverviewNode[] = []): readonly TreeRow[] {
  const children = childrenOf(entriesOf(rows, nodes))
  const tree: TreeRow[] = []
  const add = (entry: Entry, depth: number): Below => {
    const at = tree.length
    tree.push({ ...entry, depth, below: nothingBelow })
    const parts = (children.get(entry.id) ?? []).map((child) => ({ child, below: add(child, depth + 1) }))
    const below = summed(entry, parts)
    tree[at] = { ...entry, depth, below }
    return below
  }
  for (const entry of children.get(null) ?? []) add(entry, 0)
  return tree
}

function entriesOf(rows: readonly Row[], nodes: readonly OverviewNode[]): readonly Entry[] {
  const there = new Set(rows.map(({ terminalId }) => terminalId))
  const byTerminal = new Map(nodes.map((node) => [node.terminalId, node]))
  const alone = nodes.filter(({ terminalId }) => terminalId === null || !there.has(terminalId))
  return [
    ...alone.map((node) => ({ id: node.terminalId ?? node.nodeId, row: null, node })),
    ...rows.map((row) => ({ id: row.terminalId, row, node: byTerminal.get(row.terminalId) ?? null })),
  ]
}

/** Groups the entries by their parent's id; null: the top level. An entry that outdated links put below itself goes to the top. */
function childrenOf(entries: readonly Entry[]): ReadonlyMap<string | null, readonly Entry[]> {
  const parents = new Map(entries.map((entry) => [entry.id, parentOf(entry)]))
  const isBelowItself = (id: string) => {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      seen.add(at)
      if (parents.get(at) === id) return true
    }
    return false
  }
  const children = new Map<string | null, Entry[]>()
  for (const entry of entries) {
    const named = parents.get(entry.id) ?? null
    const isThere = named !== null && parents.has(named) && (entry.node === null || !isBelowItself(entry.id))
    const parent = isThere ? named : null
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [entry])
    else siblings.push(entry)
  }
  for (const siblings of children.values()) siblings.sort((one, other) => orderOf(one) - orderOf(other))
  return children
}

const parentOf = ({ row, node }: Entry): string | null => (node === null ? (row?.parentId ?? null) : node.parentId)

const orderOf = ({ node }: Entry): number => node?.order ?? Number.MAX_SAFE_INTEGER

const nothingBelow: Below = { count: 0, tones: {}, tokens: null }

function summed({ row }: Entry, parts: readonly { readonly child: Entry; readonly below: Below }[]): Below {
  const tones: Partial<Record<Tone, number>> = {}
  const count = (tone: Tone, by: number) => {
    tones[tone] = (tones[tone] ?? 0) + by
  }
  let tokens = row?.agent?.tokens ?? null
  for (const { child, below } of parts) {
    const tone = entryTone(child)
    if (tone !== null) count(tone, 1)
    for (const [tone, by] of Object.entries(below.tones)) count(tone as Tone, by)
    if (below.tokens !== null) tokens = (tokens ?? 0) + below.tokens
  }
  const of = ({ child, below }: (typeof parts)[number]) => (isGroup(child) ? 0 : 1) + below.count
  return { count: parts.reduce((sum, part) => sum + of(part), 0), tones, tokens }
}

/** Returns an entry of the tree with everything below it, however deep; empty where there is none. */
export function subtreeOf(tree: readonly TreeRow[], id: string): readonly TreeRow[] {
  const at = tree.findIndex((one) => one.id === id)
  const root = tree[at]
  if (root === undefined) return []
  const rest = tree.slice(at + 1)
  const end = rest.findIndex(({ depth }) => depth <= root.depth)
  return [root, ...(end === -1 ? rest : rest.slice(0, end))]
}

/** Those above one, the outermost first. */
export function aboveOf(tree: readonly TreeRow[], id: string): readonly TreeRow[] {
  const at = tree.findIndex((one) => one.id === id)
  const above: TreeRow[] = []
  let depth = tree[at]?.depth ?? 0
  for (const one of tree.slice(0, Math.max(at, 0)).toReversed()) {
    if (one.depth >= depth) continue
    above.unshift(one)
    depth = one.depth
  }
  return above
}

export interface TreeView {
  /** All words must be somewhere in its names, titles, tasks, commands or folder. */
  readonly text: string
  /** Null: any. */
  readonly tone: Tone | null
  /** The type of an agent, `agent` for any of them, or the kind of what it waits for; null: any. */
  readonly kind: string | null
  /** Entries whose descendants are not shown. */
  readonly collapsed: ReadonlySet<string>
}

export type ShownRow = TreeRow & {
  /** It is there for what is below it. */
  readonly isContext: boolean
}

/** Returns the rows to show. With a filter: the matches and their ancestors, collapsed or not. */
export function shownOf(tree: readonly TreeRow[], view: TreeView): readonly ShownRow[] {
  const isFiltered = view.text.trim() !== '' || view.tone !== null || view.kind !== null
  if (!isFiltered) return withoutCollapsed(tree, view.collapsed)
  const shown: ShownRow[] = []
  let above = 0
  // From the end: the next entry with a lower depth is the parent.
  for (const one of tree.toReversed()) {
    const isMatch = matches(one, view)
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
    hiddenBelow = collapsed.has(one.id) ? one.depth : Number.POSITIVE_INFINITY
    return [{ ...one, isContext: false }]
  })
}

export function matches(entry: Entry, { text, tone, kind }: Omit<TreeView, 'collapsed'>): boolean {
  if (tone !== null && entryTone(entry) !== tone) return false
  if (kind !== null && !kindsOf(entry).includes(kind)) return false
  const all = wordsOf(entry).join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

function wordsOf({ id, row, node }: Entry): readonly unknown[] {
  const { name, title, program, cwd, agent } = row ?? {}
  const { label, role, summary, lastAction } = node ?? {}
  return [id, name, title, program, cwd, agent?.type, agent?.task, label, role, summary, lastAction]
}

export function kindsOf(entry: Entry): readonly string[] {
  const { row, node } = entry
  if (row === null) return [node.kind]
  return [...(row.agent === null ? [] : ['agent', row.agent.type]), ...(row.kind === null ? [] : [row.kind])]
}
