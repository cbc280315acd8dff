/** All terminals as a tree: who has started whom, how each of them is, and what is below it summed up. */

import * as vscode from 'vscode'
import type { Clock } from '../../../agentpty/src/contracts/ports.ts'
import {
  nameOf,
  type Overview,
  type Row,
  stateWords,
  type Tone,
  toneOf,
} from '../../../agentpty/src/faces/overview/overview.ts'
import { shownOf, type TreeRow, treeOf } from '../../../agentpty/src/faces/overview/tree.ts'
import type { Held } from '../link/held.ts'

export interface TreeNode extends TreeRow {
  readonly children: readonly TreeNode[]
}

const icons: Readonly<Record<Tone, readonly [icon: string, colour: string | null]>> = {
  asks: ['bell-dot', 'list.warningForeground'],
  working: ['sync', 'terminal.ansiBlue'],
  idle: ['circle-outline', null],
  failed: ['error', 'list.errorForeground'],
  ended: ['pass', 'disabledForeground'],
}

/** Drawn so often at most, however much changes. */
const gatherMs = 100

export class TerminalsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changes.event
  readonly #stop: () => void
  #roots: readonly TreeNode[] = []
  #parents = new Map<TreeNode, TreeNode>()
  #filter = ''
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

  get filter(): string {
    return this.#filter
  }

  /** Words that must be in names, titles, tasks, commands or folders; empty: all are shown. */
  setFilter(text: string): void {
    this.#filter = text
    this.#draw()
  }

  getChildren(node?: TreeNode): TreeNode[] {
    return [...(node === undefined ? this.#roots : node.children)]
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#parents.get(node)
  }

  nodeOf(terminalId: string): TreeNode | null {
    const find = (nodes: readonly TreeNode[]): TreeNode | null => {
      for (const node of nodes) {
        const found = node.row.terminalId === terminalId ? node : find(node.children)
        if (found !== null) return found
      }
      return null
    }
    return find(this.#roots)
  }

  getTreeItem({ row, below, children }: TreeNode): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState
    const item = new vscode.TreeItem(nameOf(row), children.length === 0 ? None : Expanded)
    const [icon, colour] = icons[toneOf(row)]
    item.id = row.terminalId
    item.description = [stateWords(row), row.agent?.task ?? row.program, belowWords(below)].filter(Boolean).join(' · ')
    item.iconPath = new vscode.ThemeIcon(icon, colour === null ? undefined : new vscode.ThemeColor(colour))
    item.tooltip = tooltipOf(row)
    item.accessibilityInformation = { label: `${nameOf(row)}, ${item.description}` }
    item.contextValue = [row.state === 'exited' ? 'over' : 'open', row.mayType === 'person' ? 'taken' : 'free'].join(
      ' ',
    )
    item.command = { command: 'agentpty.open', title: 'Show Terminal', arguments: [{ row }] }
    return item
  }

  #draw(): void {
    this.#stopGathering = null
    const tree = treeOf(this.#overview?.rows ?? [])
    const view = { text: this.#filter, tone: null, kind: null, collapsed: new Set<string>() }
    this.#parents = new Map()
    this.#roots = nest(shownOf(tree, view), this.#parents)
    this.#changes.fire()
  }
}

/** From rows with their depths. */
function nest(rows: readonly TreeRow[], parents: Map<TreeNode, TreeNode>): readonly TreeNode[] {
  const roots: TreeNode[] = []
  const above: { readonly node: TreeNode; readonly children: TreeNode[] }[] = []
  for (const row of rows) {
    const children: TreeNode[] = []
    const node: TreeNode = { ...row, children }
    above.length = Math.min(above.length, row.depth)
    const parent = above.at(-1)
    if (parent !== undefined) parents.set(node, parent.node)
    ;(parent?.children ?? roots).push(node)
    above.push({ node, children })
  }
  return roots
}

const toneWords: readonly (readonly [Tone, string])[] = [
  ['asks', 'ask'],
  ['working', 'work'],
  ['failed', 'failed'],
]

function belowWords({ count, tones }: TreeRow['below']): string {
  if (count === 0) return ''
  const parts = toneWords.flatMap(([tone, words]) => (tones[tone] === undefined ? [] : [`${tones[tone]} ${words}`]))
  return parts.length === 0 ? `${count} below` : `${count} below: ${parts.join(', ')}`
}

function tooltipOf(row: Row): string {
  const holder = row.mayType === 'person' ? `taken over by ${row.takenBy ?? 'somebody'}` : ''
  const lines = [nameOf(row), stateWords(row), holder, row.agent?.task ?? '', row.title, row.program, row.cwd]
  return [...new Set(lines.filter((line) => line !== ''))].join('\n')
}
