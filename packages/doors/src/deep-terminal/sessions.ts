/**
 * Sessions under the names that callers chose, each a terminal. The terminal's name is made from the caller's, so that
 * a new daemon finds the session again.
 */

import { createHash } from 'node:crypto'
import { defined, isTermError, type Millis, nameCharactersMax, outputBytesMax, TermError } from '@agentpty/protocol'
import { type CallContext, type OutputGaps, TerminalName } from '@agentpty/protocol/call'
import type { ToolCall } from '@agentpty/protocol/mcp'
import type { VerbInput, VerbName, VerbOutput } from '@agentpty/protocol/verbs'

const namePrefix = 'deep.'
const shellDefault = '/bin/bash'
/** A shell that is not at its prompt after this time is returned anyway. */
const promptMsMax = 5_000
/** The longest command that the verb `run` takes; a longer one is typed. */
const commandCharactersMax = 100_000

/** The name of a session's terminal. An id that cannot be a terminal's name is replaced by its hash. */
export function terminalOf(sessionId: string): string {
  const name = `${namePrefix}${sessionId}`
  if (TerminalName.safeParse(name).success) return name
  const hash = createHash('sha256').update(sessionId).digest('hex')
  return `${namePrefix}${hash}`.slice(0, nameCharactersMax)
}

/** Errors: `name_taken` when the session is open already, `spawn_failed`. */
export function openSession(sessionId: string, shell: string | undefined, call: ToolCall) {
  const name = terminalOf(sessionId)
  return callVerb(call, 'create', { name, shell: shell ?? shellDefault, waitTimeoutMs: promptMsMax })
}

/** Types the command as a line of input for whatever program reads it. */
export async function typeCommand(sessionId: string, command: string, call: ToolCall): Promise<void> {
  await type(call, 'send', { terminalId: terminalOf(sessionId), text: command, waitFor: 'none' })
}

export interface Answered extends OutputGaps {
  readonly output: string
  /** Null when no command has ended: the time was over, or a program that the command started waits for input. */
  readonly exitCode: number | null
  readonly timedOut: boolean
}

/** Runs a command until it ends or waits for input. Where no shell is at its prompt the command is typed as a line of input. */
export async function runCommand(
  sessionId: string,
  { command, timeoutMs }: { readonly command: string; readonly timeoutMs: Millis },
  call: ToolCall,
): Promise<Answered> {
  const { signal } = call
  // It may have waited in the queue: a command whose caller has gone is not begun.
  if (signal.aborted) throw new TermError('cancelled', 'The call was cancelled.', 'Nothing was typed.')
  const terminalId = terminalOf(sessionId)
  const ran =
    command.trim() === '' || command.length > commandCharactersMax
      ? null
      : await unlessBusy(type(call, 'run', { terminalId, command, timeoutMs }))
  const seen = ran ?? (await type(call, 'send', { terminalId, text: command, waitTimeoutMs: timeoutMs }))
  const { output, exitCode = null, missedBytes, invalidBytes } = seen
  return { output, exitCode, timedOut: seen.outcome === 'timeout', missedBytes, invalidBytes }
}

const notAtPrompt: ReadonlySet<string> = new Set(['shell_busy', 'not_a_shell', 'line_not_empty'])

/** Null when the program is not a shell, or is one that does something else just now. */
async function unlessBusy<Result>(running: Promise<Result>): Promise<Result | null> {
  try {
    return await running
  } catch (error) {
    if (isTermError(error) && notAtPrompt.has(error.code)) return null
    throw error
  }
}

/** In that system a command is judged before its session is looked up. */
function type<Name extends 'run' | 'send'>(call: ToolCall, name: Name, input: VerbInput<Name>) {
  return call.client.call(name, input, { ...contextOf(call), isJudgedUnseen: true })
}

export function callVerb<Name extends VerbName>(
  call: ToolCall,
  name: Name,
  input: VerbInput<Name>,
): Promise<VerbOutput<Name>> {
  return call.client.call(name, input, contextOf(call))
}

function contextOf({ signal, progress }: ToolCall): Partial<CallContext> {
  return defined({ signal, outputBytes: outputBytesMax, progress })
}

export function hasCode(error: unknown, code: TermError['code']): boolean {
  return isTermError(error) && error.code === code
}
