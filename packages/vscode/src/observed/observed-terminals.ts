/**
 * The editor's own terminals, which are not agentpty's: what the editor tells of them, and no more. It tells which commands have run and how
 * they ended, where its shell integration is there. What they print is not kept: of fast commands it would be lost.
 */

import type { Clock } from '@agentpty/protocol'
import * as vscode from 'vscode'
import { folderOf, isShellInFront } from './shell-in-front.ts'

export interface ObservedCommand {
  readonly line: string
  /** Undefined: it runs, or its shell did not say. */
  readonly exitCode: number | undefined
  readonly isOver: boolean
  readonly startedAt: number
}

/** `unknown`: its shell does not tell. */
export type ObservedState = 'ready' | 'busy' | 'unknown'

export interface ObservedTerminal {
  readonly id: string
  readonly terminal: vscode.Terminal
  /** Null until the editor tells it. */
  readonly pid: number | null
  /** The newest first. */
  readonly commands: readonly ObservedCommand[]
}

export interface ObservedParts {
  /** Whether it is a tab of agentpty. */
  readonly isOurs: (terminal: vscode.Terminal) => boolean
  readonly clock: Clock
  readonly inFront?: typeof isShellInFront
}

interface Kept {
  readonly id: string
  pid: number | null
  commands: ObservedCommand[]
  running: vscode.TerminalShellExecution | null
}

const commandsMax = 20 // of each terminal
const lineCharactersMax = 500
const terminalsMax = 200
/**
 * A terminal that the editor brings back has no name at first, and one in which a command begins or ends gets another a little later. Nothing
 * tells when.
 */
const nameAgainMs = 500
const nameAgainMax = 20

export class ObservedTerminals implements vscode.Disposable {
  readonly #isOurs: (terminal: vscode.Terminal) => boolean
  readonly #clock: Clock
  readonly #inFront: typeof isShellInFront
  readonly #kept = new Map<vscode.Terminal, Kept>()
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
      window.onDidCloseTerminal((terminal) => this.#kept.delete(terminal) && this.#changes.fire()),
      window.onDidChangeTerminalShellIntegration(({ terminal }) => this.#kept.has(terminal) && this.#changes.fire()),
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
    this.#kept.clear()
    this.#changes.dispose()
  }

  get all(): readonly ObservedTerminal[] {
    return [...this.#kept].map(([terminal, { id, pid, commands }]) => ({ id, terminal, pid, commands }))
  }

  find(id: string): ObservedTerminal | null {
    return this.all.find((one) => one.id === id) ?? null
  }

  of(terminal: vscode.Terminal | undefined): ObservedTerminal | null {
    return this.all.find((one) => one.terminal === terminal) ?? null
  }

  /** By the editor's events, and by the kernel, which knows what ran before they were listened to. */
  stateOf({ terminal, pid }: ObservedTerminal): ObservedState {
    if (this.#kept.get(terminal)?.running) return 'busy'
    const inFront = pid === null ? null : this.#inFront(pid)
    if (inFront === false) return 'busy'
    if (inFront === true) return 'ready'
    const [last] = this.#kept.get(terminal)?.commands ?? []
    return last?.isOver === true && terminal.shellIntegration !== undefined ? 'ready' : 'unknown'
  }

  #opened(terminal: vscode.Terminal): void {
    if (this.#isOurs(terminal) || this.#kept.has(terminal) || this.#kept.size >= terminalsMax) return
    this.#lastNumber += 1
    const kept: Kept = { id: `editor-${this.#lastNumber}`, pid: null, commands: [], running: null }
    this.#kept.set(terminal, kept)
    this.#changed()
    void terminal.processId.then((pid) => {
      kept.pid = pid ?? null
      this.#changes.fire()
    })
  }

  /** Also for the names, which are read again. */
  #changed(): void {
    this.#changes.fire()
    this.#looksForNames = 0
    this.#lookAgain()
  }

  #lookAgain(): void {
    this.#stopLooking()
    this.#stopLooking = this.#clock.callAt(this.#clock.now() + nameAgainMs, () => {
      this.#changes.fire()
      this.#looksForNames += 1
      const isMissing = [...this.#kept.keys()].some(({ name }) => name === '')
      if (isMissing && this.#looksForNames < nameAgainMax) this.#lookAgain()
    })
  }

  #started(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const kept = this.#kept.get(terminal)
    if (kept === undefined) return
    kept.running = execution
    const line = execution.commandLine.value.slice(0, lineCharactersMax)
    const command = { line, exitCode: undefined, isOver: false, startedAt: this.#clock.wall() }
    kept.commands = [command, ...kept.commands.map(over)].slice(0, commandsMax)
    this.#changed()
  }

  #ended(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution, exitCode: number | undefined): void {
    const kept = this.#kept.get(terminal)
    if (kept === undefined) return
    if (kept.running === execution) kept.running = null
    const [last, ...rest] = kept.commands
    // The editor may know the line better by now.
    const line = execution.commandLine.value.slice(0, lineCharactersMax)
    if (last !== undefined && !last.isOver) kept.commands = [{ ...last, line, exitCode, isOver: true }, ...rest]
    this.#changed()
  }
}

/** Another has begun, so it has ended, whether or not its shell said so. */
const over = (command: ObservedCommand): ObservedCommand => ({ ...command, isOver: true })

/** Of a terminal that the editor has not named yet, what it is. */
export const observedName = ({ terminal, id }: ObservedTerminal): string => terminal.name || id

/** Where its shell is; null where nobody says. The kernel knows at once, and the editor a little later. */
export function observedFolder({ terminal, pid }: ObservedTerminal): string | null {
  const seen = pid === null ? null : folderOf(pid)
  if (seen !== null) return seen
  const told = terminal.shellIntegration?.cwd?.fsPath
  if (told !== undefined) return told
  const { creationOptions: options } = terminal
  const asked = 'cwd' in options ? options.cwd : undefined
  return asked === undefined ? null : typeof asked === 'string' ? asked : asked.fsPath
}
