/** The tabs of this window: the terminals shown in it, restored after a reload. Each machine has its own tabs. */

import type { Clock, Millis, Stop } from '@agentpty/protocol'
import { nameOf, type Overview, type Row } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import { Observable } from '../link/observable.ts'
import { type Fits, SessionTerminal, type TabTerminal } from './session-terminal.ts'

export interface TabsParts {
  readonly client: Observable<WireClient | null>
  readonly overview: Observable<Overview | null>
  readonly clock: Clock
  /** The state that the window stores across a reload. */
  readonly memory: vscode.Memento
  /** Returns whether this window shows a terminal opened in that folder. */
  readonly isOurs: (cwd: string) => boolean
  /** Returns the machine of this window; null: this one. */
  readonly at: () => string | null
  readonly say: (words: string) => void
}

interface Tab {
  readonly pty: TabTerminal
  /** Null until the editor has created it. */
  terminal: vscode.Terminal | null
}

export type Location = 'panel' | 'editor' | 'split' | 'off'

const shownKey = 'agentpty.shown'
const openedHereKey = 'agentpty.openedHere'
/** The duration of a notice that needs no answer. */
const noticeMs = 5_000
/** The next tab is made after this time, even if the editor has not reported the one before. */
const makeMs: Millis = 2_000
/** The maximum number of stored tabs of one window. */
const rememberedMax = 200

export class Tabs implements vscode.Disposable {
  readonly #parts: TabsParts
  readonly #tabs = new Map<string, Tab>()
  #openedHere = new Set<string>()
  #machine: string | null
  /** The client of that machine only: keys that wait for a connection must never reach another machine. */
  #client = new Observable<WireClient | null>(null)
  #stopClient: () => void
  #known: ReadonlySet<string> | null = null
  /** Terminals whose tabs are not made yet, the oldest first. */
  #waiting: { readonly row: Row; readonly location: Exclude<Location, 'off'> }[] = []
  /** Stops the timer of the tab that is being made; null while there is none. */
  #making: Stop | null = null
  /** The number of terminals that are being opened from this window. */
  #openings = 0
  readonly #stops: (() => void)[] = []

  constructor(parts: TabsParts) {
    this.#parts = parts
    this.#machine = parts.at()
    this.#stopClient = this.#begin()
    const opened = vscode.window.onDidOpenTerminal((terminal) => this.#opened(terminal))
    const closed = vscode.window.onDidCloseTerminal((terminal) => this.#closed(terminal))
    const active = vscode.window.onDidChangeActiveTerminal(() => this.#tellActive())
    this.#stops.push(
      parts.overview.subscribe((overview) => this.#changed(overview)),
      () => opened.dispose(),
      () => active.dispose(),
      () => closed.dispose(),
      () => this.#stopClient(),
    )
  }

  dispose(): void {
    for (const stop of this.#stops) stop()
  }

  /**
   * To be called before connecting to another machine (null: this one), where the same ids name other terminals. Closes the tabs and restores
   * them when the machine is chosen again. Pending input is dropped.
   */
  enter(machine: string | null): void {
    if (machine === this.#machine) return
    this.#stopClient()
    this.#client.set(null)
    const left = [...this.#tabs.values()]
    this.#tabs.clear()
    this.#waiting = []
    for (const { terminal } of left) terminal?.dispose()
    this.#machine = machine
    this.#stopClient = this.#begin()
  }

  #begin(): () => void {
    const client = new Observable<WireClient | null>(null)
    this.#client = client
    this.#known = null
    this.#openedHere = new Set(this.#remembered(openedHereKey))
    return this.#parts.client.subscribe((open) => client.set(open))
  }

  /** Returns the id of the terminal in this tab; null if it is not agentpty's. */
  idOf(terminal: vscode.Terminal | undefined): string | null {
    const found = [...this.#tabs].find(([, tab]) => tab.terminal === terminal)
    return terminal === undefined ? null : (found?.[0] ?? null)
  }

  show(row: Row, { preserveFocus }: { readonly preserveFocus: boolean }): void {
    const shown = this.#tabs.get(row.terminalId)?.terminal
    const location = vscode.workspace.getConfiguration('agentpty').get<Location>('terminals.location', 'panel')
    const terminal = shown ?? this.#make(row, location === 'off' ? 'panel' : location)
    terminal.show(preserveFocus)
  }

  fit(terminalId: string): void {
    this.#tabs.get(terminalId)?.pty.fit()
  }

  /** Returns the terminal for a tab that the editor creates itself, after it was opened from this window. */
  ptyFor(terminalId: string): vscode.Pseudoterminal {
    this.#openedHere.add(terminalId)
    this.#remember(openedHereKey, this.#openedHere)
    const pty = this.#ptyOf(terminalId)
    this.#tabs.set(terminalId, { pty, terminal: null })
    return pty
  }

  /**
   * Runs a call that opens a terminal for a tab of this window. No other tab is made meanwhile: the list may have the terminal before the call
   * has returned its id.
   */
  async opening<Result>(open: () => Promise<Result>): Promise<Result> {
    this.#openings += 1
    try {
      return await open()
    } finally {
      this.#openings -= 1
      if (this.#making === null) this.#makeNext()
    }
  }

  /** The tab of a task, which the editor has made. */
  adopt(terminalId: string, pty: TabTerminal, terminal: vscode.Terminal | null): void {
    this.#tabs.set(terminalId, { pty, terminal })
    this.#rememberShown()
  }

  forget(terminalId: string): void {
    this.#tabs.delete(terminalId)
    this.#rememberShown()
  }

  #make(row: Row, location: Exclude<Location, 'off'>): vscode.Terminal {
    const pty = this.#ptyOf(row.terminalId)
    const tab: Tab = { pty, terminal: null }
    this.#tabs.set(row.terminalId, tab)
    tab.terminal = vscode.window.createTerminal({
      name: nameOf(row),
      pty,
      iconPath: new vscode.ThemeIcon(row.agent === null ? 'terminal' : 'hubot'),
      isTransient: true,
      location: this.#place(row, location),
    })
    this.#rememberShown()
    return tab.terminal
  }

  #place(row: Row, location: Exclude<Location, 'off'>): NonNullable<vscode.TerminalOptions['location']> {
    if (location === 'editor') return { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }
    const parentTerminal = row.parentId === null ? null : this.#tabs.get(row.parentId)?.terminal
    return location === 'split' && parentTerminal ? { parentTerminal } : vscode.TerminalLocation.Panel
  }

  #ptyOf(terminalId: string): SessionTerminal {
    const { say } = this.#parts
    const pty = new SessionTerminal({
      terminalId,
      client: this.#client,
      say,
      fits: () => this.#fits(terminalId),
      opened: () => this.#made(),
      closed: () => {
        if (this.#tabs.get(terminalId)?.pty !== pty) return
        this.#tabs.delete(terminalId)
        this.#rememberShown()
      },
    })
    return pty
  }

  #fits(terminalId: string): Fits {
    const size = vscode.workspace.getConfiguration('agentpty').get<string>('terminals.size', 'auto')
    if (size === 'program') return 'never'
    if (this.#openedHere.has(terminalId)) return 'always'
    return size === 'tab' ? 'typed' : 'never'
  }

  /** Adopts a tab that the editor has created for this extension. */
  #opened(terminal: vscode.Terminal): void {
    const { creationOptions: options } = terminal
    if (!('pty' in options)) return
    for (const tab of this.#tabs.values()) if (tab.pty === options.pty) tab.terminal = terminal
    this.#rememberShown()
  }

  /** The editor closes no pseudoterminal whose program has ended. */
  #closed(terminal: vscode.Terminal): void {
    for (const tab of [...this.#tabs.values()]) if (tab.terminal === terminal) tab.pty.close()
  }

  #changed(overview: Overview | null): void {
    if (overview === null) return
    const before = this.#known
    const rows = new Map(overview.rows.map((row) => [row.terminalId, row]))
    this.#known = new Set(rows.keys())
    for (const [id, { pty, terminal }] of this.#tabs) {
      const row = rows.get(id)
      if (row !== undefined) pty.rename(nameOf(row))
      // A terminal that is being opened is not in the list yet.
      else if (before?.has(id)) terminal?.dispose()
    }
    if (before === null) this.#showAgain(rows)
    else for (const row of rows.values()) if (!before.has(row.terminalId)) this.#showNew(row)
  }

  /** Restores the tabs from before a reload. */
  #showAgain(rows: ReadonlyMap<string, Row>): void {
    for (const id of this.#remembered(shownKey)) {
      const row = rows.get(id)
      if (row !== undefined && !this.#tabs.has(id)) this.#make(row, 'panel')
    }
  }

  #showNew(row: Row): void {
    const location = vscode.workspace.getConfiguration('agentpty').get<Location>('terminals.location', 'panel')
    if (location === 'off' || this.#tabs.has(row.terminalId) || !this.#parts.isOurs(row.cwd)) return
    this.#waiting.push({ row, location })
    if (this.#making === null) this.#makeNext()
  }

  /**
   * Makes one tab after the other, and shows only the last one: the editor lays out each tab that is shown, and would not answer a person
   * while it does so for many.
   */
  #makeNext(): void {
    if (this.#openings > 0) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    const { row, location } = next
    if (this.#tabs.has(row.terminalId) || this.#known?.has(row.terminalId) === false) {
      this.#makeNext()
      return
    }
    const { clock } = this.#parts
    this.#making = clock.callAt(clock.now() + makeMs, () => this.#made())
    const mayCover = location === 'editor' || !this.#isActiveInUse()
    const terminal = this.#make(row, location)
    if (!mayCover) void vscode.window.setStatusBarMessage(`${nameOf(row)} is a new tab of the panel.`, noticeMs)
    else if (this.#waiting.length === 0 || location === 'editor') terminal.show(true)
  }

  #made(): void {
    this.#making?.()
    this.#making = null
    this.#makeNext()
  }

  /** For terminals of the editor, only one fact is known: whether a person has ever typed in them. */
  #isActiveInUse(): boolean {
    const active = vscode.window.activeTerminal
    const ours = [...this.#tabs.values()].find(({ terminal }) => terminal === active)
    return active !== undefined && (ours?.pty.isInUse ?? active.state.isInteractedWith)
  }

  /** Commands for the terminal in front are in the palette only if it is one of agentpty. */
  #tellActive(): void {
    const isOurs = this.idOf(vscode.window.activeTerminal) !== null
    void vscode.commands.executeCommand('setContext', 'agentpty.isTabActive', isOurs)
  }

  #rememberShown(): void {
    this.#tellActive()
    this.#remember(shownKey, this.#tabs.keys())
  }

  #remember(key: string, ids: Iterable<string>): void {
    void this.#parts.memory.update(this.#keyOf(key), [...ids].slice(-rememberedMax))
  }

  #remembered(key: string): readonly string[] {
    return this.#parts.memory.get<readonly string[]>(this.#keyOf(key), [])
  }

  #keyOf(key: string): string {
    return this.#machine === null ? key : `${key} ${this.#machine}`
  }
}
