/** The commands for terminals in menus and the palette. */

import type { Need } from '@agentpty/protocol/needs'
import { nameOf, type Overview, type Row, rowWords } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import type { Answering } from '../needs/answering.ts'
import { openShell } from '../parts/shell-profile.ts'
import { wordsOf } from '../terminals/session-terminal.ts'
import type { Tabs } from '../terminals/tabs.ts'
import { rememberHolder } from '../tree/own-holder.ts'
import { shownTones, type TerminalsTree, type TreeFilter } from '../tree/terminals-tree.ts'

export interface CommandParts {
  readonly client: Observable<WireClient | null>
  readonly ownClient: Observable<WireClient | null>
  readonly overview: Observable<Overview | null>
  readonly tabs: Tabs
  readonly tree: TerminalsTree
  readonly answering: Answering
  readonly log: vscode.LogOutputChannel
}

/** The publisher and the name of the extension, and the id of its walkthrough. */
const walkthrough = 'agentpty.agentpty-vscode#start'
/** How long a browser stays signed in at an address that others share. */
const sharedAddressMs = 12 * 60 * 60_000
/** The duration of a lease taken from a menu. */
const takenMs = 10 * 60_000

type Called = { readonly row: Row | null } | undefined

export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { client, ownClient, tabs, tree, answering, log } = parts
  const call = async (does: (open: WireClient) => Promise<unknown>): Promise<void> => {
    const open = client.peek()
    if (open === null) return void vscode.window.showWarningMessage('agentpty is not connected.')
    try {
      await does(open)
    } catch (error) {
      void vscode.window.showWarningMessage(wordsOf(error))
    }
  }
  const onRow = (does: (open: WireClient, row: Row) => Promise<unknown>) => async (called: Called) => {
    const row = called?.row ?? (await chosenRow(parts))
    if (row !== undefined) await call((open) => does(open, row))
  }
  const commands: Readonly<Record<string, (...args: never[]) => unknown>> = {
    newTerminal: () =>
      call(async () => vscode.window.createTerminal(await openShell({ client, ownClient, tabs })).show()),
    open: onRow(async (_open, row) => tabs.show(row, { preserveFocus: false })),
    openSelected: () => openSelected(parts),
    take: onRow(takeOver),
    release: onRow((open, { terminalId }) => open.call('release', { terminalId })),
    fit: onRow(async (_open, { terminalId }) => tabs.fit(terminalId)),
    rename: onRow(renameBy),
    interrupt: onRow((open, { terminalId }) => open.call('signal', { terminalId, signal: 'SIGINT' })),
    close: onRow(closeBy),
    answer: (need: Need) => answering.ask(need),
    answerOne: () => answering.askOne(),
    answerTerminal: (called: { readonly id: string }) => answerTerminal(parts, called.id),
    filter: () => filterBy(tree),
    clearFilter: () => setFilter(tree, { text: '', tone: null }),
    filterState: () => filterStateBy(tree),
    openPage: () => call(openPage),
    showLog: () => log.show(),
    getStarted: openWalkthrough,
  }
  const made = Object.entries(commands).map(([name, does]) =>
    vscode.commands.registerCommand(`agentpty.${name}`, does as (...args: unknown[]) => unknown),
  )
  return vscode.Disposable.from(...made)
}

async function takeOver(open: WireClient, { terminalId }: Row): Promise<void> {
  const { lease } = await open.call('take', { terminalId, forMs: takenMs })
  rememberHolder(lease.holder)
}

/** The terminal of the tab in front, else the one that the person picks. */
async function chosenRow({ tabs, overview }: CommandParts): Promise<Row | undefined> {
  const rows = overview.peek()?.rows ?? []
  const id = tabs.idOf(vscode.window.activeTerminal)
  const active = rows.find(({ terminalId }) => terminalId === id)
  if (active !== undefined) return active
  const picks = rows.map((row) => ({ label: nameOf(row), description: rowWords(row), detail: row.program, row }))
  return (await vscode.window.showQuickPick(picks, { title: 'agentpty: which terminal?' }))?.row
}

/** Shows the selected terminal, or the details of a selected group. */
async function openSelected({ tree, tabs }: CommandParts): Promise<void> {
  const entry = tree.all.find(({ id }) => id === tree.selected?.id)
  if (entry === undefined) return
  if (entry.row === null) await vscode.commands.executeCommand('agentpty.details', entry)
  else tabs.show(entry.row, { preserveFocus: false })
}

/** Answers the open request of one terminal. */
async function answerTerminal({ overview, answering }: CommandParts, id: string): Promise<void> {
  const need = overview.peek()?.needs.findLast(({ terminalId }) => terminalId === id)
  if (need !== undefined) return answering.ask(need)
  void vscode.window.showInformationMessage('It no longer needs you.')
}

async function renameBy(open: WireClient, row: Row): Promise<void> {
  const name = await vscode.window.showInputBox({ title: `Rename ${nameOf(row)}`, value: row.name ?? '' })
  if (name) await open.call('rename', { terminalId: row.terminalId, name })
}

async function closeBy(open: WireClient, row: Row): Promise<void> {
  const { terminalId, state } = row
  if (state !== 'exited') {
    const detail = 'Its program and all processes it has started will end.'
    const answer = await vscode.window.showWarningMessage(`Close ${nameOf(row)}?`, { modal: true, detail }, 'Close')
    if (answer !== 'Close') return
  }
  await open.call('close', { terminalId })
}

async function filterBy(tree: TerminalsTree): Promise<void> {
  const prompt = 'Words of names, titles, tasks, commands or folders'
  const value = tree.filter.text
  const text = await vscode.window.showInputBox({ title: 'Filter terminals', prompt, value })
  if (text !== undefined) setFilter(tree, { ...tree.filter, text: text.trim() })
}

async function filterStateBy(tree: TerminalsTree): Promise<void> {
  const picks = [{ label: 'All', tone: null }, ...shownTones.map(([tone, label]) => ({ label, tone }))]
  const chosen = await vscode.window.showQuickPick(picks, { title: 'Show terminals and agents by state' })
  if (chosen !== undefined) setFilter(tree, { ...tree.filter, tone: chosen.tone })
}

function setFilter(tree: TerminalsTree, filter: TreeFilter): void {
  tree.setFilter(filter)
  const isFiltered = filter.text !== '' || filter.tone !== null
  void vscode.commands.executeCommand('setContext', 'agentpty.filtered', isFiltered)
}

async function openWalkthrough(): Promise<void> {
  const { executeCommand } = vscode.commands
  await executeCommand('setContext', 'agentpty.started', false)
  await executeCommand('workbench.action.openWalkthrough', walkthrough, false)
  // The editor completes a step by its context only when that changes while the walkthrough is open.
  await executeCommand('setContext', 'agentpty.started', true)
}

/**
 * Opens the page in the browser of the person. An editor in a browser, or over a remote connection, forwards the page under another address,
 * which the daemon accepts only if it is named here. `openExternal` then makes the same address itself.
 */
async function openPage(open: WireClient): Promise<void> {
  const { url } = await open.call('openPage', {})
  const own = vscode.Uri.parse(url).with({ fragment: '' })
  const external = await vscode.env.asExternalUri(own)
  if (external.authority === own.authority) return void vscode.env.openExternal(vscode.Uri.parse(url))
  // Below a path of the editor's own address, other servers may share it.
  const forMs = external.path === own.path ? {} : { forMs: sharedAddressMs }
  const forwarded = await open.call('openPage', { forwardedAt: external.toString(true), ...forMs })
  await vscode.env.openExternal(vscode.Uri.parse(forwarded.url))
}
