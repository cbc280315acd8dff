/** Notes of input that was typed and not run, or not run whole. */

import type { Session } from '@agentpty/engine/session'
import { isStatementPrompt } from '@agentpty/engine/turn'
import type { Observation } from '@agentpty/protocol/call'

export function unfinishedNote({ commands }: Session): string | undefined {
  if (!commands.continues) return undefined
  return 'The command is not finished: the shell waits for the rest of it. Send that, or press ctrl+c.'
}

/** For an interpreter that has not run what it was given. */
export function unfinishedStatement({ kind, output }: Observation): string | undefined {
  const line = output.slice(output.lastIndexOf('\n') + 1)
  if (kind !== 'repl' || !isStatementPrompt(line)) return undefined
  return 'The statement is not finished: send the rest (in Python an empty line ends a block), or press ctrl+c.'
}

export const noExitCode = 'The exit code is not known: this shell does not mark its commands.'

/** @param rest - Lines that were not typed. */
export function notTyped(rest: readonly string[]): string | undefined {
  if (rest.every((line) => line.trim() === '')) return undefined
  const text = rest.join('\n')
  const shown = text.length > 200 ? `${text.slice(0, 200)}[...]` : text
  return `Not typed yet, run it when the shell is back: ${JSON.stringify(shown)}`
}
