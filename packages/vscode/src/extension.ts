/** The entry point of the VS Code extension: connects its parts. The daemon owns the terminals; this window shows them. */

import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { resolvePaths } from '@agentpty/protocol/home'
import { followOverview, type Overview } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import { registerCommands } from './commands/commands.ts'
import { DetailsPanels } from './details/details-panels.ts'
import { AgentClient, type AgentClientOptions } from './link/agent-client.ts'
import { ChosenMachine } from './link/chosen-machine.ts'
import { Elsewhere } from './link/elsewhere.ts'
import { findProgram } from './link/find-program.ts'
import { Link, type LinkState } from './link/link.ts'
import { Observable } from './link/observable.ts'
import { openHere } from './link/open-here.ts'
import { programRunner } from './link/run-program.ts'
import { comeFromTerminalAgent } from './migration/come-from-terminal-agent.ts'
import { appliedSettings } from './migration/old-settings.ts'
import { showNeeds } from './needs/show-needs.ts'
import { judgeBy } from './observed/judge.ts'
import { observeTerminals } from './observed/observe.ts'
import { provideMcpServer } from './parts/mcp-provider.ts'
import { openShell, provideShellProfile } from './parts/shell-profile.ts'
import { statusItem } from './parts/status-item.ts'
import { isOurTab, wordsOf } from './terminals/session-terminal.ts'
import { Tabs } from './terminals/tabs.ts'
import { provideTerminalExtras } from './terminals/terminal-extras.ts'
import { Windows } from './terminals/windows.ts'
import { registerTools } from './tools/register-tools.ts'
import { LineageCommands } from './tree/lineage-commands.ts'
import { TerminalsTree } from './tree/terminals-tree.ts'
import { showTerminals } from './tree/terminals-view.ts'

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('agentpty', { log: true })
  const paths = resolvePaths(process.env, process.getuid?.() ?? 0)
  const say = (words: string) => void vscode.window.showWarningMessage(words)
  const tell = (line: string) => log.info(line)
  const run = programRunner(program)
  const own = hello()
  const here = { paths, program, hello: own, log: tell, startsWith: () => appliedSettings(run, tell) }
  const elsewhere = new Elsewhere(context.secrets, () => link.again())
  const overview = new Observable<Overview | null>(null)
  const machine = new ChosenMachine({
    address: () => elsewhere.address,
    open: (address) => (address === null ? openHere(here) : elsewhere.open(address)),
    enter: (address) => {
      overview.set(null)
      tabs.enter(address)
      details.enter(address)
    },
  })
  const link = new Link({ open: () => machine.open(), log: tell })
  const { client } = link
  const ownClient = clientHere(client, machine)
  const windows = tellWindows(join(paths.stateFolder, 'vscode-windows'))
  const at = () => machine.address
  const isOurs = (cwd: string) => windows.isOurs(cwd)
  const tabs = new Tabs({ client, overview, clock: systemClock, memory: context.workspaceState, isOurs, at, say })
  const show = (id: string, preserveFocus: boolean) => showIn(tabs, overview, id, preserveFocus)
  const tree = new TerminalsTree(overview, systemClock)
  const details = new DetailsPanels({ client, tree, clock: systemClock, at }, context.extensionUri)
  const lineage = new LineageCommands({ client, tree, show: (id) => onceThere(overview, id, () => show(id, false)) })
  const needs = showNeeds({ client, overview, show })
  const { answering } = needs
  context.subscriptions.push(
    log,
    windows,
    elsewhere,
    tabs,
    tree,
    showTerminals(tree, (ids, below) => lineage.move(ids, below)),
    lineage.register(),
    details,
    needs,
    provideTerminalExtras({ client, tabs, overview, say, isHere: () => machine.address === null }),
    statusItem(overview, link.state),
    registerCommands({ client, ownClient, overview, tabs, tree, answering, log }),
    provideShellProfile({ client, ownClient, tabs }),
    provideMcpServer({ client: ownClient, tokenFile: paths.token, log: tell }),
    toolsFor({ paths, hello: own, overview }),
    observeTerminals({
      isOurs: (terminal) => isOurTab(terminal) || tabs.idOf(terminal) !== null,
      openShellIn: async (cwd) =>
        vscode.window.createTerminal(await openShell({ client, ownClient, tabs }, cwd)).show(),
      judge: judgeBy(run),
    }),
    comeFromTerminalAgent({ link, run, log, tokenFile: paths.token, memory: context.globalState }),
    { dispose: client.subscribe((open) => void keepOverview(open, overview, log)) },
    { dispose: link.state.subscribe((state) => tellState(state, link)) },
    { dispose: () => void link.close() },
    connectAsSet(link),
  )
  void link.run()
}

/** Tools use a separate connection, which opens with the first call. */
function toolsFor({ overview, ...caller }: AgentClientOptions & { readonly overview: Observable<Overview | null> }) {
  const agents = new AgentClient(caller)
  const registered = registerTools({ openClient: () => agents.open(), overview, clock: systemClock })
  return vscode.Disposable.from(registered, { dispose: () => void agents.close() })
}

function connectAsSet(link: Link): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('agentpty.path')) link.retry()
    if (change.affectsConfiguration('agentpty.address')) void link.again()
  })
}

function showIn(tabs: Tabs, overview: Observable<Overview | null>, id: string, preserveFocus: boolean): void {
  const row = overview.peek()?.rows.find(({ terminalId }) => terminalId === id)
  if (row !== undefined) tabs.show(row, { preserveFocus })
}

/** Waits until a terminal is in the overview, which happens a moment after it is opened. */
function onceThere(overview: Observable<Overview | null>, id: string, does: () => void): void {
  const isThere = (now: Overview | null) => now?.rows.some(({ terminalId }) => terminalId === id) === true
  if (isThere(overview.peek())) {
    does()
    return
  }
  const stop = overview.subscribe((now) => {
    if (!isThere(now)) return
    stop()
    does()
  })
}

/** The path of the program, by the current settings. */
function program(): string | null {
  const configured = vscode.workspace.getConfiguration('agentpty').get<string>('path', '').trim()
  return findProgram({ configured, path: process.env['PATH'] ?? '', home: homedir() })
}

function hello() {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir()
  return { client: `vscode-${randomUUID()}`, program: `VS Code ${vscode.version}`, cwd, env, isPerson: true }
}

/** Null also while connected to another machine, where this one's folders and token are invalid. */
function clientHere(client: Observable<WireClient | null>, machine: ChosenMachine): Observable<WireClient | null> {
  const own = new Observable<WireClient | null>(null)
  client.subscribe((open) => own.set(machine.address === null ? open : null))
  return own
}

async function keepOverview(
  client: WireClient | null,
  overview: Observable<Overview | null>,
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (client === null) return
  try {
    await followOverview(client, (now) => overview.set(now), new AbortController().signal)
  } catch (error) {
    log.info(`the overview has ended: ${wordsOf(error)}`)
  }
}

function tellWindows(folder: string): Windows & vscode.Disposable {
  const windows = new Windows(folder)
  const tell = () => {
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? []
    windows.tell(folders, systemClock.wall())
  }
  tell()
  const heard = [
    vscode.window.onDidChangeWindowState(({ focused }) => focused && tell()),
    vscode.workspace.onDidChangeWorkspaceFolders(tell),
  ]
  return Object.assign(windows, {
    dispose: () => {
      for (const one of heard) one.dispose()
      windows.forget()
    },
  })
}

let reportedMessage = ''

/** Shows each reason once, because the connection is retried automatically. */
function tellState(state: LinkState, link: Link): void {
  void vscode.commands.executeCommand('setContext', 'agentpty.connected', state.kind === 'open')
  if (state.kind === 'open') reportedMessage = ''
  if (state.kind !== 'lost' || reportedMessage === state.error.message) return
  reportedMessage = state.error.message
  const { message, hint } = state.error
  void vscode.window.showErrorMessage(`${message} ${hint}`, 'Try Again', 'Settings').then((chosen) => {
    if (chosen === 'Try Again') link.retry()
    if (chosen === 'Settings') void vscode.commands.executeCommand('workbench.action.openSettings', 'agentpty.path')
  })
}
