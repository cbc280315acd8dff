/** Why ptyhost does not do what it was asked, as an error that names the next move. The errno of its answer decides which. */

import { constants } from 'node:os'
import { type ErrorCode, TermError } from '@agentpty/protocol'

interface Refusal {
  readonly code: ErrorCode
  readonly hint: string
}

type ErrnoName = keyof typeof constants.errno

const seeTerminal = 'Look at the terminal with terminal_screenshot, or close it with terminal_close.'
const closeSome = 'Close terminals you no longer need with terminal_close.'
const otherInput: Refusal = { code: 'invalid_input', hint: 'Change what the message names, and call again.' }
const disagree: Refusal = {
  code: 'internal',
  hint: 'The engine and the terminal host disagree. Run: agentpty doctor',
}
const programEnded: Refusal = { code: 'session_exited', hint: seeTerminal }

/** What each errno means at ptyhost. `host-refusal.test.ts` compares the names with those its sources use. */
const refusals: Readonly<Partial<Record<ErrnoName, Refusal>>> = {
  EINVAL: otherInput,
  EILSEQ: otherInput,
  E2BIG: otherInput,
  EMSGSIZE: otherInput,
  ENAMETOOLONG: otherInput,
  EBADMSG: disagree,
  ENOSYS: disagree,
  EEXIST: { code: 'internal', hint: 'Call again: the next terminal gets another number.' },
  ECANCELED: { code: 'host_gone', hint: 'Call again in a moment: the next call starts another.' },
  ENOBUFS: { code: 'input_full', hint: seeTerminal },
  EAGAIN: { code: 'limit_reached', hint: closeSome },
  ENOMEM: { code: 'limit_reached', hint: closeSome },
  EIO: programEnded,
  ESRCH: programEnded,
}

/** By number, because numbers differ between systems and only names are the same. */
const byErrno: ReadonlyMap<number, Refusal> = new Map(
  Object.entries(refusals).map(([name, refusal]) => [constants.errno[name as ErrnoName], refusal]),
)

/** Every other errno of the kernel is about a terminal whose program has ended. */
export function hostRefusal(errno: number, message: string): TermError {
  const { code, hint } = byErrno.get(errno) ?? programEnded
  return new TermError(code, `The terminal host refused: ${message}.`, hint)
}
