/** Why a session refuses what it is asked. */

import { canonicalLineBytesMax, type Exit, TermError, waitsPerSessionMax } from '@agentpty/protocol'
import type { SessionInfo } from '@agentpty/protocol/session'

/** Nobody can type into a program that has ended. */
export function sessionExited(id: string, { code, signal }: Exit): TermError {
  return new TermError(
    'session_exited',
    `The program of ${id} has ended (${signal ?? `exit code ${code}`}).`,
    'Read its output with terminal_read, or open a new terminal.',
  )
}

/** The terminal keeps only the beginning of a line, and would drop the rest silently. */
export function lineTooLong(id: string, bytes: number): TermError {
  return new TermError(
    'line_too_long',
    `The program of ${id} reads lines, and its terminal would keep ${canonicalLineBytesMax} of the ${bytes} bytes of this one.`,
    'Nothing was typed. Break the line, or write the text to a file and name that.',
  )
}

/** Somebody else has the keyboard. */
export function leaseRefusal({ id, lease }: Pick<SessionInfo, 'id' | 'lease'>, isPerson: boolean): TermError {
  if (isPerson)
    return new TermError(
      'person_types',
      `Only agents may type into ${id} now.`,
      `Take it over first: agentpty take ${id}`,
    )
  const { mayType, holder, reason } = lease
  if (mayType !== 'person')
    return new TermError(
      'person_types',
      `A person has had ${id} since this call began, so the rest of it was not typed.`,
      'Look with terminal_screenshot what is there now, then go on.',
    )
  return new TermError(
    'person_types',
    `A person has taken ${id} over (${holder}${reason === null ? '' : `: ${JSON.stringify(reason)}`}). Nothing was typed.`,
    'Do something else and try again, or call again with ifTaken:"wait", which goes on once it is given back.',
  )
}

export function tooManyWaits(id: string): TermError {
  return new TermError('limit_reached', `${waitsPerSessionMax} waits on ${id} already.`, 'Let one of them end first.')
}
