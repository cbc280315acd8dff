import type { CallContext } from '../../../contracts/call/call-context.ts'
import { TermError } from '../../../contracts/errors.ts'
import { terminalVariable } from '../../../contracts/session/own-terminal.ts'

/** Errors: `denied` to callers inside a terminal of agentpty: whoever asks must not answer. */
export function byPersonOnly(id: string, done: string, env: Readonly<Record<string, string | undefined>>): void {
  if (env[terminalVariable] === undefined) return
  throw new TermError(
    'denied',
    `${id} cannot be ${done} from inside a terminal of agentpty: whoever asks must not answer.`,
    'A person does that in a terminal of their own: agentpty approvals',
  )
}

/** Errors: `denied` to whoever is no person at a terminal or a page of their own. */
export function personsOnly(id: string, done: string, { isPerson }: Pick<CallContext, 'isPerson'>): void {
  if (isPerson === true) return
  throw new TermError('denied', `${id} can only be ${done} by a person.`, 'Ask yours, with terminal_ask_person.')
}
