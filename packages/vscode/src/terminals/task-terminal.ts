/**
 * A task of the editor whose command runs in a terminal of the daemon. Every byte is drawn once from the beginning, so problem matchers miss
 * nothing. Unlike a tab, it ends its program when it is closed, as the editor's own tasks do.
 */

import { type Clock, isTermError, type Millis, type Size } from '@agentpty/protocol'
import { Typing, type WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { OutputDrawing } from './drawing.ts'
import { isClosed, isLost, sizeOf, type TabTerminal, wordsOf } from './session-terminal.ts'

export interface TaskProgram {
  readonly name: string
  /** Run by the shell. */
  readonly command: string
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>> | undefined
}

export interface TaskTerminalParts {
  readonly program: TaskProgram
  readonly client: Observable<WireClient | null>
  readonly clock: Clock
  readonly say: (words: string) => void
  /** Runs the call that opens the terminal, and what follows it immediately. */
  readonly opening: (open: () => Promise<void>) => Promise<void>
  /** Called with the id of the terminal once it is open. `name`: of the task. */
  readonly opened: (terminalId: string, pty: TaskTerminal, name: string) => void
  readonly closed: (terminalId: string) => void
}

/** The editor reports an end within 500 ms as a program that it could not start. */
const startMs: Millis = 600

/** Until the editor has laid out the tab. */
const usualSize: Size = { cols: 120, rows: 30 }

export class TaskTerminal implements TabTerminal {
  readonly #parts: TaskTerminalParts
  readonly #writes = new vscode.EventEmitter<string>()
  readonly #ends = new vscode.EventEmitter<number>()
  readonly onDidWrite = this.#writes.event
  readonly onDidClose = this.#ends.event
  readonly #over = new AbortController()
  readonly #drawing = new OutputDrawing()
  #stopListening: () => void = () => {}
  #terminalId: string | null = null
  #typing: Typing | null = null
  #size: Size = usualSize
  #openedAt: Millis = 0
  #hasEnded = false
  /** The offset of the next byte to draw. */
  #next = 0

  constructor(parts: TaskTerminalParts) {
    this.#parts = parts
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.#openedAt = this.#parts.clock.now()
    this.#size = sizeOf(dimensions) ?? usualSize
    void this.#run()
  }

  /** Also called for a task that has ended, whose tab was closed or is used for its next run. */
  close(): void {
    void this.closeSession()
  }

  async closeSession(): Promise<void> {
    this.#over.abort()
    this.#stopListening()
    const { client, closed } = this.#parts
    const terminalId = this.#terminalId
    if (terminalId === null) return
    this.#terminalId = null
    closed(terminalId)
    // A terminal that cannot be closed now stays in the tree, where a person can close it.
    await client
      .peek()
      ?.call('close', { terminalId })
      .catch(() => undefined)
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  handleInput(data: string): void {
    this.#typing?.type(data)
  }

  setDimensions(dimensions: vscode.TerminalDimensions): void {
    this.#size = { cols: dimensions.columns, rows: dimensions.rows }
    this.fit()
  }

  get isInUse(): boolean {
    return vscode.window.activeTerminal?.name === this.#parts.program.name
  }

  /** The editor names the tabs of tasks. */
  rename(): void {}

  fit(): void {
    const client = this.#parts.client.peek()
    if (client === null || this.#terminalId === null) return
    client.call('resize', { terminalId: this.#terminalId, ...this.#size }).catch(() => undefined)
  }

  async #run(): Promise<void> {
    const { client, opening } = this.#parts
    const open = client.peek()
    if (open === null) return this.#fail('agentpty is not connected. The command was not started.')
    try {
      await opening(() => this.#create(open))
      const id = this.#terminalId
      if (id === null) return
      this.#stopListening = client.subscribe((now) => now !== null && void this.#follow(now, id))
    } catch (error) {
      this.#fail(wordsOf(error))
    }
  }

  /** Errors: those of `create`. */
  async #create(open: WireClient): Promise<void> {
    const { client, program, opened, say } = this.#parts
    const { name, command, cwd, env } = program
    const where = { ...(cwd === undefined ? {} : { cwd }), ...(env === undefined ? {} : { env: { ...env } }) }
    const input = { command, ...where, ...this.#size, waitFor: 'none' } as const
    const { terminalId } = await open
      .call('create', { name, ...input })
      // An earlier run may still have the name.
      .catch((error: unknown) => {
        if (isTermError(error) && error.code === 'name_taken') return open.call('create', input)
        throw error
      })
    this.#terminalId = terminalId
    if (this.#over.signal.aborted) return this.closeSession()
    this.#typing = new Typing({ terminalId, client, noted: say, refused: (error) => say(wordsOf(error)) })
    opened(terminalId, this, name)
  }

  /** Runs until the program ends or the connection is lost; another connection continues. */
  async #follow(client: WireClient, terminalId: string): Promise<void> {
    const { signal } = this.#over
    try {
      for await (const event of client.follow(terminalId, { output: { since: this.#next }, signal })) {
        if (signal.aborted) return
        if (event.type === 'output') {
          this.#next = event.offset + event.bytes.length
          this.#writes.fire(this.#drawing.draw(event.bytes))
        } else if (event.type === 'exit') this.#end(event.exit.code ?? signalExitCode)
      }
    } catch (error) {
      if (signal.aborted || isLost(error)) return
      if (isClosed(error)) this.#end(signalExitCode)
      else this.#fail(wordsOf(error))
    }
  }

  #fail(words: string): void {
    this.#writes.fire(`${words}\r\n`)
    this.#ends.fire(1)
  }

  #end(code: number): void {
    this.#hasEnded = true
    this.#parts.clock.callAt(this.#openedAt + startMs, () => this.#ends.fire(code))
  }
}

/** Shells report a program that was ended by a signal with 128 or more. */
const signalExitCode = 130
