/** The view of terminals and groups: its filter text and its drag and drop. */

import * as vscode from 'vscode'
import { shownTones, type TerminalsTree, type TreeNode } from './terminals-tree.ts'

/** The editor's type name for rows dragged out of this view. */
const draggedType = 'application/vnd.code.tree.agentpty.terminals'

/** Moves these rows below another one, or to the top level for null. */
export type Move = (ids: readonly string[], below: string | null) => Promise<void>

export function showTerminals(tree: TerminalsTree, move: Move): vscode.Disposable {
  const view = vscode.window.createTreeView('agentpty.terminals', {
    treeDataProvider: tree,
    dragAndDropController: new Dragging(move),
    canSelectMany: false,
  })
  const tell = () => {
    view.message = filterWords(tree) ?? ''
  }
  return vscode.Disposable.from(
    view,
    tree.onDidUpdate(tell),
    view.onDidChangeSelection(({ selection }) => {
      tree.selected = selection[0] ?? null
    }),
  )
}

export class Dragging implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dragMimeTypes = [draggedType]
  readonly dropMimeTypes = [draggedType]
  readonly #move: Move

  constructor(move: Move) {
    this.#move = move
  }

  handleDrag(dragged: readonly TreeNode[], data: vscode.DataTransfer): void {
    data.set(draggedType, new vscode.DataTransferItem(dragged.map(({ id }) => id)))
  }

  /** A drop on the empty area moves the rows to the top level. */
  async handleDrop(onto: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const ids: unknown = data.get(draggedType)?.value
    if (!Array.isArray(ids)) return
    const others = ids.filter((id): id is string => typeof id === 'string' && id !== onto?.id)
    if (others.length > 0) await this.#move(others, onto?.id ?? null)
  }
}

/** Describes the filter, so that a person knows why rows are hidden. */
function filterWords({ filter: { text, tone } }: TerminalsTree): string | undefined {
  const state = shownTones.find(([one]) => one === tone)?.[1]
  const parts = [state, text === '' ? undefined : `“${text}”`].filter((one) => one !== undefined)
  return parts.length === 0 ? undefined : `Only: ${parts.join(', ')}`
}
