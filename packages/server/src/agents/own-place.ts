/** Where a caller stands among terminals: its own, and those that it leads. */

import { TermError } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'
import { terminalVariable } from '@agentpty/protocol/session'

/** Null outside of terminals of this server. */
export function ownIdOf({ context, placeOf }: AgentTerminals): string | null {
  const own = context.env[terminalVariable]
  return own === undefined || placeOf(own) === null ? null : own
}

/** Errors: `invalid_input` outside of terminals; `why` says what that means. */
export function ownTerminal(terminals: AgentTerminals, why: string, hint: string): string {
  const own = ownIdOf(terminals)
  if (own !== null) return own
  throw new TermError('invalid_input', `You run in no terminal of agentpty, so ${why}.`, hint)
}

/** Whether the caller has started it, or is it where that counts. From outside of terminals all are led. */
export function leads(terminalId: string, terminals: AgentTerminals, own: 'too' | 'not'): boolean {
  const ownId = ownIdOf(terminals)
  if (ownId === null || (own === 'too' && ownId === terminalId)) return true
  return terminals.placeOf(terminalId)?.ancestors.includes(ownId) === true
}
