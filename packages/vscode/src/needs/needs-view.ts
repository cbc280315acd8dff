/** The requests that need a person: a list with a badge, and one notification for each request that has waited. */

import type { Clock } from '@agentpty/protocol'
import type { Need, NeedKind } from '@agentpty/protocol/needs'
import { dueNeeds, type Overview } from '@agentpty/protocol/overview'
import { needWords } from '@agentpty/protocol/session'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { rowCommand } from '../parts/row-command.ts'

export interface NeedsParts {
  readonly overview: Observable<Overview | null>
  readonly clock: Clock
  readonly answer: (need: Need) => void
  readonly show: (terminalId: string) => void
}

const icons: Readonly<Record<NeedKind, string>> = {
  approval: 'shield',
  question: 'question',
  dialog: 'question',
  password: 'key',
  confirmation: 'question',
  takeOver: 'person',
  failure: 'error',
}

/** The interval of the check for requests that have waited long enough. */
const checkEveryMs = 1_000

export class NeedsView implements vscode.TreeDataProvider<Need>, vscode.Disposable {
  readonly #parts: NeedsParts
  readonly #changes = new vscode.EventEmitter<void>()
  readonly onDidChangeTreeData = this.#changes.event
  readonly #view: vscode.TreeView<Need>
  readonly #answerSelected: vscode.Disposable
  readonly #stop: () => void
  #stopChecking: () => void = () => {}
  #needs: readonly Need[] = []
  #notified: ReadonlySet<string> = new Set()

  constructor(parts: NeedsParts) {
    this.#parts = parts
    this.#view = vscode.window.createTreeView('agentpty.needs', { treeDataProvider: this })
    this.#answerSelected = vscode.commands.registerCommand('agentpty.answerSelected', () => {
      const [need] = this.#view.selection
      if (need !== undefined) parts.answer(need)
    })
    this.#stop = parts.overview.subscribe((overview) => this.#changed(overview?.needs ?? []))
    this.#check()
  }

  dispose(): void {
    this.#stopChecking()
    this.#stop()
    this.#answerSelected.dispose()
    this.#view.dispose()
  }

  getChildren(need?: Need): Need[] {
    return need === undefined ? [...this.#needs] : []
  }

  getTreeItem(need: Need): vscode.TreeItem {
    const item = new vscode.TreeItem(`${need.title} ${needWords[need.kind]}`)
    item.id = need.needId
    item.description = need.text.split('\n')[0] ?? ''
    item.tooltip = need.text
    item.iconPath = new vscode.ThemeIcon(icons[need.kind])
    item.contextValue = need.kind
    item.command = rowCommand('agentpty.answerSelected', 'Answer')
    return item
  }

  #changed(needs: readonly Need[]): void {
    if (needs === this.#needs) return
    this.#needs = needs
    const count = needs.length
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} waiting for you` }
    const open = new Set(needs.map(({ needId }) => needId))
    this.#notified = new Set([...this.#notified].filter((id) => open.has(id)))
    this.#changes.fire()
  }

  #check(): void {
    this.#notifyDue()
    const { clock } = this.#parts
    this.#stopChecking = clock.callAt(clock.now() + checkEveryMs, () => this.#check())
  }

  /** Notifies once of each request that has waited for ten seconds. */
  #notifyDue(): void {
    if (!vscode.workspace.getConfiguration('agentpty').get<boolean>('needs.notify', true)) return
    for (const need of dueNeeds(this.#needs, this.#notified, this.#parts.clock.wall())) {
      this.#notified = new Set([...this.#notified, need.needId])
      void this.#notify(need)
    }
  }

  async #notify(need: Need): Promise<void> {
    const message = `${need.title} ${needWords[need.kind]}: ${need.text.split('\n')[0] ?? ''}`
    const chosen = await vscode.window.showInformationMessage(message, 'Answer', 'Show Terminal')
    if (chosen === 'Answer') this.#parts.answer(need)
    else if (chosen === 'Show Terminal' && need.terminalId !== null) this.#parts.show(need.terminalId)
  }
}
