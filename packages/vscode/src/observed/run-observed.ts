/**
 * Runs one line in one of the editor's own terminals and reads its output. Never in a busy one, because the editor would press ctrl+c there
 * first. The output is read from the execution that the editor returns, which loses nothing.
 */

import { type Clock, resultBefore, TermError } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import * as vscode from 'vscode'
import { type ObservedTerminal, type ObservedTerminals, observedName } from './observed-terminals.ts'

export interface ObservedRun {
  /** `timeout`: it is still running. */
  readonly outcome: 'ended' | 'timeout'
  /** Absent if the shell did not report it. */
  readonly exitCode?: number
  readonly output: string
}

/** The characters retained of one command's output, from its beginning and from its end. */
const retainedCharacters = 64 * 1024
/** The maximum length of output in a result. */
const shownCharacters = 4_500

/** Errors: `shell_busy`, `not_a_shell`. */
export function assertMayRun(observed: ObservedTerminals, one: ObservedTerminal): vscode.TerminalShellIntegration {
  const { shellIntegration } = one.terminal
  const name = observedName(one)
  if (shellIntegration === undefined)
    throw new TermError(
      'not_a_shell',
      `The shell of “${name}” reports no commands to the editor, so nothing can be run there.`,
      'Open a terminal instead: terminal_create.',
    )
  const state = observed.stateOf(one)
  if (state === 'ready') return shellIntegration
  const why = state === 'busy' ? 'runs a command' : 'may be running a command'
  throw new TermError(
    'shell_busy',
    `“${name}” ${why}, which would be interrupted.`,
    'Wait for its end, or use terminal_run.',
  )
}

export interface RunOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Errors: as {@link assertMayRun}. */
export async function runObserved(
  observed: ObservedTerminals,
  one: ObservedTerminal,
  line: string,
  { clock, timeoutMs, signal }: RunOptions,
): Promise<ObservedRun> {
  const shell = assertMayRun(observed, one)
  const output = new OutputEnds()
  const ended = new Promise<number | undefined>((resolve) => {
    const heard = vscode.window.onDidEndTerminalShellExecution(({ execution: which, exitCode }) => {
      if (which === execution) end(exitCode)
    })
    const closed = vscode.window.onDidCloseTerminal((terminal) => terminal === one.terminal && end(undefined))
    const end = (code: number | undefined) => {
      heard.dispose()
      closed.dispose()
      resolve(code)
    }
  })
  const execution = shell.executeCommand(line)
  const read = (async () => {
    for await (const part of execution.read()) output.add(part)
  })()
  const over = Promise.all([ended, read]).then(([exitCode]) => ({ exitCode }))
  const end = await resultBefore(over, { clock, latest: clock.now() + timeoutMs, signal })
  const text = shownOutput(output.text)
  if (end === null) return { outcome: 'timeout', output: text }
  const { exitCode } = end
  return exitCode === undefined ? { outcome: 'ended', output: text } : { outcome: 'ended', exitCode, output: text }
}

/** The beginning and the end of a text of any length. */
export class OutputEnds {
  #head = ''
  #tail = ''
  #left = 0

  add(part: string): void {
    const room = retainedCharacters - this.#head.length
    this.#head += part.slice(0, room)
    this.#tail += part.slice(Math.max(0, room))
    // Cuts at intervals, not at each piece.
    if (this.#tail.length > 2 * retainedCharacters) {
      this.#left += this.#tail.length - retainedCharacters
      this.#tail = this.#tail.slice(-retainedCharacters)
    }
  }

  get text(): string {
    return this.#left === 0 ? this.#head + this.#tail : `${this.#head}\n${leftOut(this.#left)}\n${this.#tail}`
  }
}

/** The text as a person has read it: without escape sequences, and overwritten lines in their last state. */
export function shownOutput(raw: string): string {
  const lines = withoutEscapes(raw)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
  const text = lines.join('\n').trim()
  if (text.length <= 2 * shownCharacters) return text
  const between = text.length - 2 * shownCharacters
  return `${text.slice(0, shownCharacters)}\n${leftOut(between)}\n${text.slice(-shownCharacters)}`
}

const leftOut = (characters: number): string => `[… ${characters} characters left out …]`
