import { countInvalidBytes } from '@agentpty/engine/log'
import type { Session } from '@agentpty/engine/session'
import type { Offset } from '@agentpty/protocol'

/** Counts the bytes of a session's output that are not UTF-8. Undefined for none, so that the result has no field. */
export async function countInvalid(session: Session, since: Offset, until: Offset): Promise<number | undefined> {
  const isEnded = session.exit !== null
  return (await countInvalidBytes(session.log, { since, until, isEnded })) || undefined
}
