/** Why ptyhost does not do what it was asked, as an error that names the next move. */

import { constants } from 'node:os'
import { type ErrorCode, TermError } from '../../contracts/errors.ts'

interface Refusal {
  readonly code: ErrorCode
  readonly hint: string
}

const look = 'Look at the terminal with terminal_screenshot, or close it with terminal_close.'
const closeSome = 'Close terminals you no longer need with terminal_close.'
const otherInput: Refusal = { code: 'invalid_input', hint: 'Change what the message names, and call again.' }

/** By errno, whose numbers differ between systems. What is not here is about a terminal whose program has ended. */
const refusals: readonly (readonly [name: keyof typeof constants.errno, Refusal])[] = [
  ['EINVAL', otherInput],
  ['EILSEQ', otherInput],
  ['E2BIG', otherInput],
  ['EMSGSIZE', otherInput],
  ['ENAMETOOLONG', otherInput],
  ['EBADMSG', { code: 'internal', hint: 'The engine and the terminal host disagree. Run: agentpty doctor' }],
  ['ENOSYS', { code: 'internal', hint: 'The engine and the terminal host disagree. Run: agentpty doctor' }],
  ['EEXIST', { code: 'internal', hint: 'Call again: the next terminal gets another number.' }],
  ['ECANCELED', { code: 'host_gone', hint: 'Call again in a moment: the next call starts another.' }],
  ['ENOBUFS', { code: 'input_full', hint: look }],
  ['EAGAIN', { code: 'limit_reached', hint: closeSome }],
  ['ENOMEM', { code: 'limit_reached', hint: closeSome }],
]

export function hostRefusal(errno: number, message: string): TermError {
  const [, { code, hint }] = refusals.find(([name]) => constants.errno[name] === errno) ?? [
    null,
    { code: 'session_exited' as const, hint: look },
  ]
  return new TermError(code, `The terminal host refused: ${message}.`, hint)
}
