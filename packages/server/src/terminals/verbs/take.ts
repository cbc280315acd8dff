import { defined } from '@agentpty/protocol'
import { callerName } from '@agentpty/protocol/call'
import type { Handler } from '../../call/index.ts'
import { takeHalfLineBack } from '../steps/half-line.ts'

export const take: Handler<'take'> = async (engine, { terminalId, forMs, reason }, context) => {
  const { leases } = engine.host
  const session = engine.host.find(terminalId)
  session.assertAlive()
  const halfLine = session.keyboard.unsubmitted
  const { epoch } = session.keyboard.lease
  const holder = callerName(context)
  const { lease, droppedBytes } = await leases.take(session, { holder, reason: reason ?? null, forMs })
  if (lease.epoch === epoch) return { lease, droppedBytes }
  const { removed, leftover } = await takeHalfLineBack(engine, session, halfLine, context)
  if (removed !== undefined) leases.removed(session, removed)
  return defined({ lease: session.keyboard.lease, droppedBytes, removed, leftover })
}
