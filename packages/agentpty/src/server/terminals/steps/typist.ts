/** The typist of a call. A person may take the terminal over after the guards have let the call go on. */

import type { PermittedContext } from '../../../contracts/call/permit.ts'
import type { Typist } from '../../../contracts/session/lease.ts'
import type { Session } from '../../../engine/session/session.ts'
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
