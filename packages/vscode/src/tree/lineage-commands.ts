/** The commands for groups, agents and subtrees: create, rename, move, stop, retry and remove. */

import type { LineageChange } from '@agentpty/protocol/agents'
import {
  type Entry,
  entryName,
  entryWords,
  isGroup,
  isOver,
  subtreeOf,
  type TreeRow,
} from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import type { TerminalsTree } from './terminals-tree.ts'

export interface LineageParts {
  readonly client: Observable<WireClient | null>
  readonly tree: TerminalsTree
  /** Shows a retried terminal. */
  readonly show: (terminalId: string) => void
}

/** The argument of a menu, button or key. */
type CommandTarget = { readonly id: string } | undefined

export class LineageCommands {
  readonly #parts: LineageParts

  constructor(parts: LineageParts) {
    this.#parts = parts
  }

  register(): vscode.Disposable {
    const commands: Readonly<Record<string, (called: CommandTarget) => Promise<void>>> = {
      newGroup: (called) => this.#newGroup(called),
      renameNode: (called) => this.#onEntry(called, (entry) => this.#rename(entry)),
      moveTo: (called) => this.#onEntry(called, (entry) => this.#moveTo(entry)),
      removeNode: (called) => this.#onEntry(called, (entry) => this.#remove(entry)),
      stop: (called) => this.#onEntry(called, (entry) => this.#stop(entry)),
      retry: (called) => this.#onEntry(called, (entry) => this.#retry(entry)),
    }
    return vscode.Disposable.from(
      ...Object.entries(commands).map(([name, does]) => vscode.commands.registerCommand(`agentpty.${name}`, does)),
    )
  }

  /** `below`: null for the top level. */
  async move(ids: readonly string[], below: string | null): Promise<void> {
    const tree = this.#parts.tree.all
    const target = tree.find(({ id }) => id === below)
    for (const id of ids) {
      const [moved, ...rest] = subtreeOf(tree, id)
      if (moved === undefined) continue
      if (target !== undefined && rest.some((one) => one.id === below)) {
        const name = entryName(moved)
        const under = entryName(target)
        return say(`${name} cannot be moved below ${under}, which is below ${name} itself. Choose another group.`)
      }
      await this.#change({ kind: 'move', nodeId: id, parentId: below })
    }
  }

  async #newGroup(called: CommandTarget): Promise<void> {
    const above = this.#known(called?.id)
    const title = above === null ? 'New group' : `New group below ${entryName(above)}`
    const label = await vscode.window.showInputBox({ title, prompt: 'The name shown to people' })
    if (!label?.trim()) return
    const parentId = above?.id ?? null
    await this.#change({
      kind: 'add',
      nodeKind: 'group',
      label: label.trim(),
      role: 'group',
      parentId,
      terminalId: null,
    })
  }

  async #rename(entry: Entry): Promise<void> {
    const value = entryName(entry)
    const name = (await vscode.window.showInputBox({ title: `Rename ${value}`, value }))?.trim()
    if (!name) return
    if (entry.row === null) await this.#change({ kind: 'describe', nodeId: entry.id, label: name })
    else await this.#call((open) => open.call('rename', { terminalId: entry.id, name }))
  }

  async #moveTo(entry: TreeRow): Promise<void> {
    const { all } = this.#parts.tree
    const own = new Set(subtreeOf(all, entry.id).map(({ id }) => id))
    const others = all.filter(({ id }) => !own.has(id))
    const sorted = [...others.filter(isGroup), ...others.filter((one) => !isGroup(one))]
    const picks = [
      { label: '$(home) The top', description: 'below nothing', id: null },
      ...sorted.map((one) => ({
        label: `${isGroup(one) ? '$(organization) ' : ''}${entryName(one)}`,
        description: entryWords(one),
        id: one.id,
      })),
    ]
    const chosen = await vscode.window.showQuickPick(picks, { title: `Move ${entryName(entry)} below` })
    if (chosen !== undefined) await this.move([entry.id], chosen.id)
  }

  /** Removes a group. Its children stay, one level higher. */
  async #remove(entry: TreeRow): Promise<void> {
    if (entry.row === null) return this.#change({ kind: 'remove', nodeId: entry.id })
    say(`${entryName(entry)} has a terminal. Close its terminal, or stop it.`)
  }

  async #stop(entry: TreeRow): Promise<void> {
    const running = subtreeOf(this.#parts.tree.all, entry.id).filter((one) => !isGroup(one) && !isOver(one))
    const name = entryName(entry)
    if (running.length === 0) return say(`Nothing runs in ${name}.`)
    const what = running.length === 1 ? '1 terminal or agent ends' : `${running.length} terminals and agents end`
    const names = running.slice(0, namesShown).map(entryName).join(', ')
    const more = running.length > namesShown ? ` and ${running.length - namesShown} more` : ''
    const detail = `${what}, with everything that they have started: ${names}${more}.`
    const answer = await vscode.window.showWarningMessage(`Stop ${name}?`, { modal: true, detail }, 'Stop')
    if (answer !== 'Stop') return
    await this.#call(async (open) => {
      const { failed } = await open.call('stopLineage', { nodeId: entry.id, nodes: 'keep' })
      if (failed.length > 0) say(failed.map(({ label, message }) => `${label} goes on: ${message}`).join(' '))
    })
  }

  async #retry(entry: TreeRow): Promise<void> {
    await this.#call(async (open) => this.#parts.show((await open.call('retry', { nodeId: entry.id })).terminalId))
  }

  async #onEntry(called: CommandTarget, does: (entry: TreeRow) => Promise<void>): Promise<void> {
    const entry = this.#known(called?.id) ?? this.#known(this.#parts.tree.selected?.id) ?? (await this.#chosen())
    if (entry !== null) await does(entry)
  }

  async #chosen(): Promise<TreeRow | null> {
    const picks = this.#parts.tree.all.map((entry) => ({
      label: entryName(entry),
      description: entryWords(entry),
      entry,
    }))
    return (await vscode.window.showQuickPick(picks, { title: 'agentpty: which one?' }))?.entry ?? null
  }

  #known(id: string | undefined): TreeRow | null {
    return this.#parts.tree.all.find((one) => one.id === id) ?? null
  }

  #change(change: LineageChange): Promise<void> {
    return this.#call((open) => open.call('changeLineage', { change }))
  }

  async #call(does: (open: WireClient) => Promise<unknown>): Promise<void> {
    const open = this.#parts.client.peek()
    if (open === null) return say('agentpty is not connected. Nothing was changed.')
    try {
      await does(open)
    } catch (error) {
      say(wordsOf(error))
    }
  }
}

/** The number of names shown in one question. */
const namesShown = 8

function say(words: string): void {
  void vscode.window.showWarningMessage(words)
}
