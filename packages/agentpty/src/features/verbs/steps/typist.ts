/** Who types for a call; what a guard has let through may still be overtaken by a person. */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import type { Typist } from '../../../contracts/session/lease.ts'
import type { Session } from '../../../engine/session/session.ts'
import type { EngineContext } from './engine-context.ts'

/** Errors: `person_types`. */
export function typistFor({ keyboard }: Session, context: CallContext): Typist {
  const { isPerson = false, leaseEpoch } = context
  const typist = { isPerson, epoch: leaseEpoch ?? keyboard.lease.epoch, context }
  keyboard.assertMayType(typist)
  return typist
}

/** Types. What a person has left is told with the result, and then no more. */
export async function typing<Result>(
  { host }: Pick<EngineContext, 'host'>,
  session: Session,
  context: CallContext,
  type: (typist: Typist) => Promise<Result>,
): Promise<Result> {
  const typist = typistFor(session, context)
  const result = await type(typist)
  if (!typist.isPerson) host.leases.told(session)
  return result
}
