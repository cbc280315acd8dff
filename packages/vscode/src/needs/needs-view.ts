/**
 * The requests that need a person: one row each, a badge, and one notification for each request that has waited. The view is hidden while
 * there is none.
 */

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
  /** Builds the hover of a row. */
  readonly tooltip: (need: Need) => Promise<vscode.MarkdownString>
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
  readonly #commands: vscode.Disposable
  readonly #stop: () => void
  #stopChecking: () => void = () => {}
  #needs: readonly Need[] = []
  /** The descriptions as they are shown: ages grow without a change of the needs. */
  #drawn = ''
  #notified: ReadonlySet<string> = new Set()

  constructor(parts: NeedsParts) {
    this.#parts = parts
    this.#view = vscode.window.createTreeView('agentpty.needs', { treeDataProvider: this })
    this.#commands = vscode.Disposable.from(
      vscode.commands.registerCommand('agentpty.answerSelected', () => {
        const [need] = this.#view.selection
        if (need !== undefined) parts.answer(need)
      }),
      vscode.commands.registerCommand('agentpty.showNeed', ({ terminalId }: Need) => {
        if (terminalId !== null) parts.show(terminalId)
      }),
    )
    this.#stop = parts.overview.subscribe((overview) => this.#changed(overview?.needs ?? []))
    this.#check()
  }

  dispose(): void {
    this.#stopChecking()
    this.#stop()
    this.#commands.dispose()
    this.#view.dispose()
  }

  getChildren(need?: Need): Need[] {
    return need === undefined ? [...this.#needs] : []
  }

  getTreeItem(need: Need): vscode.TreeItem {
    const item = new vscode.TreeItem(questionOf(need))
    item.id = need.needId
    item.description = this.#descriptionOf(need)
    item.iconPath = new vscode.ThemeIcon(icons[need.kind], new vscode.ThemeColor(colourOf(need)))
    item.contextValue = need.terminalId === null ? need.kind : `${need.kind} placed`
    const words = `${need.title} ${needWords[need.kind]}: ${questionOf(need)}, ${item.description}`
    item.accessibilityInformation = { label: words }
    item.command = rowCommand('agentpty.answerSelected', 'Answer')
    return item
  }

  /** The editor asks for it when the mouse rests on a row. */
  async resolveTreeItem(item: vscode.TreeItem, need: Need): Promise<vscode.TreeItem> {
    item.tooltip = await this.#parts.tooltip(need)
    return item
  }

  #descriptionOf({ title, since }: Need): string {
    return `${title} · ${ageWords(this.#parts.clock.wall() - since)}`
  }

  #descriptions(): string {
    return this.#needs.map((need) => this.#descriptionOf(need)).join('\n')
  }

  #draw(): void {
    this.#drawn = this.#descriptions()
    this.#changes.fire()
  }

  #changed(needs: readonly Need[]): void {
    if (needs === this.#needs) return
    this.#needs = needs
    const count = needs.length
    void vscode.commands.executeCommand('setContext', 'agentpty.needs', count)
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip: `${count} waiting for you` }
    const open = new Set(needs.map(({ needId }) => needId))
    this.#notified = new Set([...this.#notified].filter((id) => open.has(id)))
    this.#draw()
  }

  #check(): void {
    this.#notifyDue()
    // A needless redraw would take a click away from its row.
    if (this.#descriptions() !== this.#drawn) this.#draw()
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
    const message = `${need.title} ${needWords[need.kind]}: ${questionOf(need)}`
    const chosen = await vscode.window.showInformationMessage(message, 'Answer', 'Show Terminal')
    if (chosen === 'Answer') this.#parts.answer(need)
    else if (chosen === 'Show Terminal' && need.terminalId !== null) this.#parts.show(need.terminalId)
  }
}

/** The first line with words: programs print rules and empty lines around theirs. All lines of an approval: its effects, its command, its reason. */
function questionOf({ kind, text }: Need): string {
  const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line))
  return (kind === 'approval' ? lines : lines.slice(0, 1)).map((line) => line.trim()).join(' · ')
}

/** Changes once a minute, and not every second as a stopwatch. */
function ageWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`
}

const colourOf = ({ kind }: Need): string => (kind === 'failure' ? 'list.errorForeground' : 'list.warningForeground')
