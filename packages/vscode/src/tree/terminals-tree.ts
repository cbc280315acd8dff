/** All terminals as a tree, with the groups of the lineage: who has started whom, how each of them is, and what is below it summed up. */

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
import type { Held } from '../link/held.ts'
import { rowCommand } from '../parts/row-command.ts'
import { shownHolder } from './own-holder.ts'

/** The editor knows it by identity: as long as it stays where it is, it is the same one, however it changes. */
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

/** As a person filters by them. */
export const shownTones: readonly (readonly [Tone, string])[] = [
  ['asks', 'Needs you'],
  ['working', 'Working'],
  ['idle', 'Waiting'],
  ['failed', 'Failed'],
  ['ended', 'Ended'],
]

const groupIcon = 'organization'

/** Drawn so often at most, however much changes. */
const gatherMs = 100

export interface TreeFilter {
  /** Words that must be in names, titles, tasks, commands or folders; empty: all are shown. */
  readonly text: string
  readonly tone: Tone | null
}

export class TerminalsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<TreeNode[] | undefined>()
  readonly #updates = new vscode.EventEmitter<void>()
  /** Something looks otherwise: these, or all of it. */
  readonly onDidChangeTreeData = this.#changes.event
  /** Something may be otherwise, whether it is to be seen in the tree or not. */
  readonly onDidUpdate = this.#updates.event
  readonly #stop: () => void
  /** All of them, as they are drawn from top to bottom. */
  #nodes: readonly TreeNode[] = []
  #roots: readonly TreeNode[] = []
  #parents = new Map<TreeNode, TreeNode>()
  #filter: TreeFilter = { text: '', tone: null }
  #overview: Overview | null = null
  #stopGathering: (() => void) | null = null

  constructor(overview: Held<Overview | null>, clock: Clock) {
    this.#stop = overview.subscribe((now) => {
      this.#overview = now
      this.#stopGathering ??= clock.callAt(clock.now() + gatherMs, () => this.#draw())
    })
  }

  dispose(): void {
    this.#stop()
    this.#stopGathering?.()
  }

  /** What a person has chosen in it; null: nothing. */
  selected: TreeNode | null = null

  get filter(): TreeFilter {
    return this.#filter
  }

  setFilter(filter: TreeFilter): void {
    this.#filter = filter
    this.#draw()
  }

  /** All of it, whatever the filter says. */
  get all(): readonly TreeRow[] {
    return treeOf(this.#overview?.rows ?? [], this.#overview?.nodes ?? [])
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return [...(node === undefined ? this.#roots : node.children)]
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#parents.get(node)
  }

  /** By the id of a terminal or, without one, of a node. */
  nodeOf(id: string): TreeNode | null {
    return this.#nodes.find((node) => node.id === id) ?? null
  }

  getTreeItem(entry: TreeNode): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState
    const name = entryName(entry)
    const isLeaf = entry.children.length === 0 && !isGroup(entry)
    const item = new vscode.TreeItem(name, isLeaf ? None : Expanded)
    // The editor shows what has been a leaf folded for ever: with something below it, it is another one.
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

/** All that a person sees of it: the editor draws again what has another one. */
function drawnOf(node: TreeNode): string {
  const { id, color } = iconOf(node)
  return [entryName(node), descriptionOf(node), id, color?.id, contextOf(node), tooltipOf(node)].join('\0')
}

/** From rows with their depths. */
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

/** A group of which nobody has said how it is has the colour of what is below it. */
function iconOf(entry: TreeNode): vscode.ThemeIcon {
  const tone = entryTone(entry) ?? toneWords.find(([one]) => entry.below.tones[one] !== undefined)?.[0] ?? null
  const [icon, colour] = tone === null ? [groupIcon, null] : icons[tone]
  return new vscode.ThemeIcon(
    isGroup(entry) ? groupIcon : icon,
    colour === null ? undefined : new vscode.ThemeColor(colour),
  )
}

/** For menus: what it is, and what can be done with it. */
function contextOf(entry: Entry): string {
  const { row, node } = entry
  const again = isOver(entry) ? 'again' : ''
  if (row === null) return [node.kind, again].filter(Boolean).join(' ')
  const held = row.mayType === 'person' ? 'taken' : 'free'
  const asks = row.need === null ? '' : 'asks'
  return ['terminal', row.state === 'exited' ? 'over' : 'open', held, asks, again].filter(Boolean).join(' ')
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
