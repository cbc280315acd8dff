/** The typist of a call. A person may take the terminal over after the guards have let the call go on. */

import type { Session } from '@agentpty/engine/session'
import type { PermittedContext } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import type { EngineContext } from '../../call/index.ts'

export function typistOf({ keyboard }: Session, context: PermittedContext): Typist {
  const { isPerson = false, leaseEpoch, permit } = context
  return { isPerson, epoch: leaseEpoch ?? keyboard.lease.epoch, permit }
}

/** Errors: `person_types`. */
export function typistFor(session: Session, context: PermittedContext): Typist {
  const typist = typistOf(session, context)
  session.keyboard.assertMayType(typist)
  return typist
}

/** Types. The result says once what a person has left. */
export async function typing<Result>(
  { host }: Pick<EngineContext, 'host'>,
  session: Session,
  context: PermittedContext,
  type: (typist: Typist) => Promise<Result>,
): Promise<Result> {
  const typist = typistFor(session, context)
  const result = await type(typist)
  if (!typist.isPerson) host.leases.told(session)
  return result
}
