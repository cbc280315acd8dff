/** Errors of the line gate: it cannot say what the shell would run. */

import type { Session } from '@agentpty/engine/session'
import { TermError } from '@agentpty/protocol'

export function busy({ info }: Session): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} has begun to run something else meanwhile, so nothing was typed.`,
    'Wait for its prompt with terminal_wait, and type it again.',
  )
}

export function stillBusy({ info }: Session, rest: string): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} still runs an earlier line, so the rest was not typed: ${JSON.stringify(rest.slice(0, 100))}.`,
    'Wait for its prompt with terminal_wait, and type the rest then.',
  )
}

export function unreadable({ info }: Session): TermError {
  return new TermError(
    'shell_busy',
    `The shell of ${info.id} does not say what stands at its prompt after these keys, so it was not entered.`,
    'It was dropped with ctrl+c. Type the whole line, and press Enter.',
  )
}
