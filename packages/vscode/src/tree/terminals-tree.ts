/** All terminals as a tree with the groups of the lineage: parents, states and a summary of each subtree. */

import type { Clock } from '@agentpty/protocol'
import {
  type Below,
  type Entry,
  entryName,
  entryTone,
  entryWords,
  isGroup,
  isOver,
  type Overview,
  shownOf,
  type Tone,
  type TreeRow,
  treeOf,
} from '@agentpty/protocol/overview'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { rowCommand } from '../parts/row-command.ts'
import { shownHolder } from './own-holder.ts'

/** The editor identifies a row by its object. A row keeps its object while its position is unchanged. */
export type TreeNode = TreeRow & {
  readonly children: readonly TreeNode[]
}

const icons: Readonly<Record<Tone, readonly [icon: string, colour: string | null]>> = {
  asks: ['bell-dot', 'list.warningForeground'],
  working: ['sync', 'terminal.ansiBlue'],
  idle: ['circle-outline', null],
  failed: ['error', 'list.errorForeground'],
  ended: ['pass', 'disabledForeground'],
}

/** The states that a person can filter by. */
export const shownTones: readonly (readonly [Tone, string])[] = [
  ['asks', 'Needs you'],
  ['working', 'Working'],
  ['idle', 'Waiting'],
  ['failed', 'Failed'],
  ['ended', 'Ended'],
]

const groupIcon = 'organization'

/** The minimum time between two redraws. */
const gatherMs = 100

export interface TreeFilter {
  /** Words that must occur in names, titles, tasks, commands or folders; empty: shows all. */
  readonly text: string
  readonly tone: Tone | null
}

export class TerminalsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<TreeNode[] | undefined>()
  readonly #updates = new vscode.EventEmitter<void>()
  /** Rows have changed their appearance: these, or all of them. */
  readonly onDidChangeTreeData = this.#changes.event
  /** Data has changed, whether it is visible in the tree or not. */
  readonly onDidUpdate = this.#updates.event
  readonly #stop: () => void
  /** All rows in their order from top to bottom. */
  #nodes: readonly TreeNode[] = []
  #roots: readonly TreeNode[] = []
  #parents = new Map<TreeNode, TreeNode>()
  #filter: TreeFilter = { text: '', tone: null }
  #overview: Overview | null = null
  #stopGathering: (() => void) | null = null

  constructor(overview: Observable<Overview | null>, clock: Clock) {
    this.#stop = overview.subscribe((now) => {
      this.#overview = now
      this.#stopGathering ??= clock.callAt(clock.now() + gatherMs, () => this.#draw())
    })
  }

  dispose(): void {
    this.#stop()
    this.#stopGathering?.()
  }

  /** The selected row; null: none. */
  selected: TreeNode | null = null

  get filter(): TreeFilter {
    return this.#filter
  }

  setFilter(filter: TreeFilter): void {
    this.#filter = filter
    this.#draw()
  }

  /** All rows, without the filter. */
  get all(): readonly TreeRow[] {
    return treeOf(this.#overview?.rows ?? [], this.#overview?.nodes ?? [])
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return [...(node === undefined ? this.#roots : node.children)]
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#parents.get(node)
  }

  /** Finds a row by the id of a terminal or, without one, of a node. */
  nodeOf(id: string): TreeNode | null {
    return this.#nodes.find((node) => node.id === id) ?? null
  }

  getTreeItem(entry: TreeNode): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState
    const name = entryName(entry)
    const isLeaf = entry.children.length === 0 && !isGroup(entry)
    const item = new vscode.TreeItem(name, isLeaf ? None : Expanded)
    // The editor keeps a former leaf folded forever. A row that gets children therefore needs another id.
    item.id = isLeaf ? `${entry.id} alone` : entry.id
    item.description = descriptionOf(entry)
    item.iconPath = iconOf(entry)
    item.tooltip = tooltipOf(entry)
    item.accessibilityInformation = { label: [isGroup(entry) ? `group ${name}` : name, item.description].join(', ') }
    item.contextValue = contextOf(entry)
    item.command = rowCommand('agentpty.openSelected', entry.row === null ? 'Show Details' : 'Show Terminal')
    return item
  }

  #draw(): void {
    this.#stopGathering = null
    this.#drawChanges()
    this.#updates.fire()
  }

  #drawChanges(): void {
    const view = { ...this.#filter, kind: null, collapsed: new Set<string>() }
    const rows = shownOf(this.all, view)
    const isSameShape = rows.length === this.#nodes.length && rows.every((row, at) => isSamePlace(row, this.#nodes[at]))
    if (!isSameShape) {
      this.#nest(rows)
      this.#changes.fire(undefined)
      return
    }
    const changed = this.#nodes.filter((node, at) => {
      const before = drawnOf(node)
      Object.assign(node, rows[at])
      return drawnOf(node) !== before
    })
    if (changed.length > 0) this.#changes.fire(changed)
  }

  #nest(rows: readonly TreeRow[]): void {
    const roots: TreeNode[] = []
    this.#parents = new Map()
    this.#nodes = nest(rows, roots, this.#parents)
    this.#roots = roots
  }
}

const isSamePlace = (row: TreeRow, node: TreeNode | undefined) =>
  row.id === node?.id && row.depth === node.depth && isGroup(row) === isGroup(node)

/** Everything visible of a row. The editor redraws a row if this changes. */
function drawnOf(node: TreeNode): string {
  const { id, color } = iconOf(node)
  return [entryName(node), descriptionOf(node), id, color?.id, contextOf(node), tooltipOf(node)].join('\0')
}

/** Builds the tree from rows with depths. */
function nest(rows: readonly TreeRow[], roots: TreeNode[], parents: Map<TreeNode, TreeNode>): readonly TreeNode[] {
  const above: { readonly node: TreeNode; readonly children: TreeNode[] }[] = []
  return rows.map((row) => {
    const children: TreeNode[] = []
    const node: TreeNode = { ...row, children }
    above.length = Math.min(above.length, row.depth)
    const parent = above.at(-1)
    if (parent !== undefined) parents.set(node, parent.node)
    ;(parent?.children ?? roots).push(node)
    above.push({ node, children })
    return node
  })
}

const toneWords: readonly (readonly [Tone, string])[] = [
  ['asks', 'ask'],
  ['working', 'work'],
  ['failed', 'failed'],
]

export function belowWords({ count, tones }: Below): string {
  if (count === 0) return ''
  const parts = toneWords.flatMap(([tone, words]) => (tones[tone] === undefined ? [] : [`${tones[tone]} ${words}`]))
  return parts.length === 0 ? `${count} below` : `${count} below: ${parts.join(', ')}`
}

function descriptionOf(entry: TreeNode): string {
  const { row, node, below } = entry
  const role = row === null && node.role !== node.kind ? node.role : ''
  const doing = node?.summary ?? row?.agent?.task ?? row?.program ?? ''
  return [role, entryWords(entry), doing, belowWords(below)].filter((one) => one !== '').join(' · ')
}

/** A group without a reported state has the colour of its subtree. */
function iconOf(entry: TreeNode): vscode.ThemeIcon {
  const tone = entryTone(entry) ?? toneWords.find(([one]) => entry.below.tones[one] !== undefined)?.[0] ?? null
  const [icon, colour] = tone === null ? [groupIcon, null] : icons[tone]
  return new vscode.ThemeIcon(
    isGroup(entry) ? groupIcon : icon,
    colour === null ? undefined : new vscode.ThemeColor(colour),
  )
}

/** The context value for menus: the kind of row and its possible actions. */
function contextOf(entry: Entry): string {
  const { row, node } = entry
  const again = isOver(entry) ? 'again' : ''
  if (row === null) return [node.kind, again].filter(Boolean).join(' ')
  const lease = row.mayType === 'person' ? 'taken' : 'free'
  const asks = row.need === null ? '' : 'asks'
  return ['terminal', row.state === 'exited' ? 'over' : 'open', lease, asks, again].filter(Boolean).join(' ')
}

function tooltipOf(entry: Entry): string {
  const { row, node } = entry
  const said = [node?.summary ?? '', node?.lastAction ?? '']
  const holder = shownHolder(row)
  const client = row === null || row.clientEndedAt === null ? '' : 'its client has ended'
  const shown = row === null ? [] : [holder, client, row.agent?.task ?? '', row.title, row.program, row.cwd]
  const lines = [entryName(entry), entryWords(entry), node?.role ?? '', ...said, ...shown]
  return [...new Set(lines.filter((line) => line !== ''))].join('\n')
}
