/** An instruction is typed when an agent can take it, and at no other time: a dialog would take it for an answer. */

import { TermError } from '../../../contracts/errors.ts'
import type { CallContext } from '../../../contracts/operation.ts'
import type { Millis } from '../../../contracts/units.ts'
import type { Session } from '../../../engine/session/session.ts'
import { waitFor } from './call-session.ts'
import type { EngineContext } from './engine-context.ts'

/** Waits at most `timeoutMs` for the agent to be idle. Errors: `needs_answer`, `agent_busy`. */
export async function assertInstructable(
  { clock }: EngineContext,
  session: Session,
  timeoutMs: Millis,
  context: CallContext,
): Promise<void> {
  const since = session.parsedTo
  await waitFor(clock, session, { conditions: [{ kind: 'ready', confidence: 'low' }], since, timeoutMs }, context)
  const { verdict } = session.turn()
  const { id } = session.info
  if (verdict.needs === 'answer') {
    throw new TermError(
      'needs_answer',
      `${id} shows a dialog${verdict.question === null ? '' : `: ${verdict.question}`}`,
      'Look with terminal_screenshot and answer it with terminal_send_keys, then instruct again. Nothing was typed.',
    )
  }
  if (verdict.state === 'ready') return
  throw new TermError(
    'agent_busy',
    `${id} is still at work: ${verdict.evidence[0] ?? ''}.`,
    'Wait for it with terminal_wait, or interrupt it with the escape key. Nothing was typed.',
  )
}
