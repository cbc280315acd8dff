/**
 * The editor's own terminals, as far as the editor reports on them: with shell integration, their commands and exit codes. Their output is not
 * stored, because the editor loses output of fast commands.
 */

import type { Clock } from '@agentpty/protocol'
import * as vscode from 'vscode'
import { folderOf, isShellInFront } from './shell-in-front.ts'

export interface ObservedCommand {
  readonly line: string
  /** Undefined while it runs, or if the shell did not report it. */
  readonly exitCode: number | undefined
  readonly isOver: boolean
  readonly startedAt: number
}

/** `unknown`: the shell reports nothing. */
export type ObservedState = 'ready' | 'busy' | 'unknown'

export interface ObservedTerminal {
  readonly id: string
  readonly terminal: vscode.Terminal
  /** Null until the editor reports it. */
  readonly pid: number | null
  /** Newest first. */
  readonly commands: readonly ObservedCommand[]
}

export interface ObservedParts {
  /** Returns whether it is a tab of agentpty. */
  readonly isOurs: (terminal: vscode.Terminal) => boolean
  readonly clock: Clock
  readonly inFront?: typeof isShellInFront
}

interface Observed {
  readonly id: string
  pid: number | null
  commands: ObservedCommand[]
  running: vscode.TerminalShellExecution | null
}

const commandsMax = 20 // of each terminal
const lineCharactersMax = 500
const terminalsMax = 200
/**
 * A restored terminal has no name at first, and its name may change a little after a command starts or ends. No event reports it, so the name is
 * polled.
 */
const namePollMs = 500
const namePollsMax = 20

export class ObservedTerminals implements vscode.Disposable {
  readonly #isOurs: (terminal: vscode.Terminal) => boolean
  readonly #clock: Clock
  readonly #inFront: typeof isShellInFront
  readonly #entries = new Map<vscode.Terminal, Observed>()
  readonly #changes = new vscode.EventEmitter<void>()
  readonly onDidChange = this.#changes.event
  readonly #heard: vscode.Disposable[]
  #lastNumber = 0
  #looksForNames = 0
  #stopLooking: () => void = () => {}

  constructor({ isOurs, clock, inFront = isShellInFront }: ObservedParts) {
    this.#isOurs = isOurs
    this.#clock = clock
    this.#inFront = inFront
    const { window } = vscode
    this.#heard = [
      window.onDidOpenTerminal((terminal) => this.#opened(terminal)),
      window.onDidCloseTerminal((terminal) => this.#entries.delete(terminal) && this.#changes.fire()),
      window.onDidChangeTerminalShellIntegration(({ terminal }) => this.#entries.has(terminal) && this.#changes.fire()),
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#started(terminal, execution)),
      window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) =>
        this.#ended(terminal, execution, exitCode),
      ),
    ]
    for (const terminal of window.terminals) this.#opened(terminal)
  }

  dispose(): void {
    this.#stopLooking()
    for (const one of this.#heard) one.dispose()
    this.#entries.clear()
    this.#changes.dispose()
  }

  /** The terminal of a task may turn out to be agentpty's after it was opened. */
  get all(): readonly ObservedTerminal[] {
    const entries = [...this.#entries].filter(([terminal]) => !this.#isOurs(terminal))
    return entries.map(([terminal, { id, pid, commands }]) => ({ id, terminal, pid, commands }))
  }

  find(id: string): ObservedTerminal | null {
    return this.all.find((one) => one.id === id) ?? null
  }

  of(terminal: vscode.Terminal | undefined): ObservedTerminal | null {
    return this.all.find((one) => one.terminal === terminal) ?? null
  }

  /** Uses the editor's events, and the kernel for programs started before the extension listened. */
  stateOf({ terminal, pid }: ObservedTerminal): ObservedState {
    if (this.#entries.get(terminal)?.running) return 'busy'
    const inFront = pid === null ? null : this.#inFront(pid)
    if (inFront === false) return 'busy'
    if (inFront === true) return 'ready'
    const [last] = this.#entries.get(terminal)?.commands ?? []
    return last?.isOver === true && terminal.shellIntegration !== undefined ? 'ready' : 'unknown'
  }

  #opened(terminal: vscode.Terminal): void {
    if (this.#isOurs(terminal) || this.#entries.has(terminal) || this.#entries.size >= terminalsMax) return
    this.#lastNumber += 1
    const entry: Observed = { id: `editor-${this.#lastNumber}`, pid: null, commands: [], running: null }
    this.#entries.set(terminal, entry)
    this.#changed()
    void terminal.processId.then((pid) => {
      entry.pid = pid ?? null
      this.#changes.fire()
    })
  }

  /** Notifies listeners; names are read again, too. */
  #changed(): void {
    this.#changes.fire()
    this.#looksForNames = 0
    this.#lookAgain()
  }

  #lookAgain(): void {
    this.#stopLooking()
    this.#stopLooking = this.#clock.callAt(this.#clock.now() + namePollMs, () => {
      this.#changes.fire()
      this.#looksForNames += 1
      const isMissing = [...this.#entries.keys()].some(({ name }) => name === '')
      if (isMissing && this.#looksForNames < namePollsMax) this.#lookAgain()
    })
  }

  #started(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const entry = this.#entries.get(terminal)
    if (entry === undefined) return
    entry.running = execution
    const line = execution.commandLine.value.slice(0, lineCharactersMax)
    const command = { line, exitCode: undefined, isOver: false, startedAt: this.#clock.wall() }
    entry.commands = [command, ...entry.commands.map(over)].slice(0, commandsMax)
    this.#changed()
  }

  #ended(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const entry = this.#entries.get(terminal)
    if (entry === undefined) return
    if (entry.running === execution) entry.running = null
    const [last, ...rest] = entry.commands
    // By now the editor may know the line more precisely.
    const line = execution.commandLine.value.slice(0, lineCharactersMax)
    if (last !== undefined && !last.isOver) entry.commands = [{ ...last, line, exitCode, isOver: true }, ...rest]
    this.#changed()
  }
}

/** Another command has started, so this one has ended, whether the shell reported it or not. */
const over = (command: ObservedCommand): ObservedCommand => ({ ...command, isOver: true })

/** The name, or the id while the editor has not named it yet. */
export const observedName = ({ terminal, id }: ObservedTerminal): string => terminal.name || id

/** The folder of its shell; null if unknown. The kernel knows it immediately, and the editor a little later. */
export function observedFolder({ terminal, pid }: ObservedTerminal): string | null {
  const seen = pid === null ? null : folderOf(pid)
  if (seen !== null) return seen
  const reported = terminal.shellIntegration?.cwd?.fsPath
  if (reported !== undefined) return reported
  const { creationOptions: options } = terminal
  const asked = 'cwd' in options ? options.cwd : undefined
  return asked === undefined ? null : typeof asked === 'string' ? asked : asked.fsPath
}
