/** Keeps verbs for persons away from programs. It reads the verb's record. */

import { TermError } from '@agentpty/protocol'
import type { Guard } from '@agentpty/protocol/call'
import { terminalVariable } from '@agentpty/protocol/session'
import { isVerbName, verbs } from '@agentpty/protocol/verbs'

/** Errors: `denied`. */
export const callerGuard: Guard = ({ name, context }) => {
  if (!isVerbName(name)) return
  const { safety, title, words } = verbs[name]
  const { callers } = safety
  if (callers !== 'outside' && callers !== 'person') return
  const hint = `A person does that in a terminal of their own: ${words.cli}`
  if (context.env[terminalVariable] !== undefined)
    throw new TermError(
      'denied',
      `"${title}" is refused inside a terminal of agentpty: a program that asks must not answer itself.`,
      hint,
    )
  if (callers === 'person' && context.isPerson !== true)
    throw new TermError('denied', `"${title}" is for persons.`, `${hint}. Ask yours with terminal_ask_person.`)
}
