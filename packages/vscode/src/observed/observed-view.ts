/** The view of the editor's own terminals: the state of each, with its last commands below it. */

import * as vscode from 'vscode'
import { rowCommand } from '../parts/row-command.ts'
import {
  type ObservedCommand,
  type ObservedState,
  type ObservedTerminal,
  type ObservedTerminals,
  observedFolder,
  observedName,
} from './observed-terminals.ts'

export type ObservedNode =
  | { readonly kind: 'terminal'; readonly id: string }
  | { readonly kind: 'command'; readonly command: ObservedCommand }

const stateWords: Readonly<Record<ObservedState, string>> = {
  ready: 'at its prompt',
  busy: 'working',
  unknown: 'unknown',
}

export class ObservedView implements vscode.TreeDataProvider<ObservedNode>, vscode.Disposable {
  readonly #observed: ObservedTerminals
  readonly #view: vscode.TreeView<ObservedNode>
  readonly onDidChangeTreeData: vscode.Event<void>

  constructor(observed: ObservedTerminals) {
    this.#observed = observed
    this.onDidChangeTreeData = observed.onDidChange
    this.#view = vscode.window.createTreeView('agentpty.observed', { treeDataProvider: this })
  }

  dispose(): void {
    this.#view.dispose()
  }

  /** The selected row. */
  get selected(): ObservedNode | null {
    return this.#view.selection[0] ?? null
  }

  getChildren(node?: ObservedNode): ObservedNode[] {
    if (node === undefined) return this.#observed.all.map(({ id }) => ({ kind: 'terminal', id }))
    if (node.kind === 'command') return []
    const { commands = [] } = this.#observed.find(node.id) ?? {}
    return commands.map((command) => ({ kind: 'command', command }))
  }

  getTreeItem(node: ObservedNode): vscode.TreeItem {
    if (node.kind === 'command') return commandItem(node.command)
    const one = this.#observed.find(node.id)
    return one === null ? new vscode.TreeItem(node.id) : terminalItem(one, this.#observed.stateOf(one))
  }
}

function terminalItem(one: ObservedTerminal, state: ObservedState): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState
  const item = new vscode.TreeItem(observedName(one), one.commands.length === 0 ? None : Collapsed)
  const folder = observedFolder(one)
  item.id = one.id
  item.description = ['observed', stateWords[state], folder ?? ''].filter((part) => part !== '').join(' · ')
  item.tooltip = [
    observedName(one),
    `A terminal of the editor, ${stateWords[state]}. agentpty sees its commands and their exit codes, not their output.`,
    ...(one.pid === null ? [] : [`Process ${one.pid}`]),
    ...(folder === null ? [] : [folder]),
  ].join('\n')
  item.accessibilityInformation = { label: `${observedName(one)}, ${item.description}` }
  item.iconPath = new vscode.ThemeIcon('eye')
  item.contextValue = `observed ${state}`
  item.command = rowCommand('agentpty.observed.showSelected', 'Show')
  return item
}

function commandItem({ line, exitCode, isOver }: ObservedCommand): vscode.TreeItem {
  const item = new vscode.TreeItem(line === '' ? '(a command not reported by its shell)' : line)
  item.description = !isOver ? 'runs' : exitCode === undefined ? 'has ended' : `exit code ${exitCode}`
  item.iconPath = !isOver
    ? new vscode.ThemeIcon('sync')
    : exitCode === undefined
      ? new vscode.ThemeIcon('dash')
      : exitCode === 0
        ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('disabledForeground'))
        : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
  item.tooltip = line
  item.contextValue = 'command'
  return item
}
