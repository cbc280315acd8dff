import { callerName } from '@agentpty/protocol/call'
import type { Handler } from '../../call/index.ts'
import { verdictNow } from '../steps/observe.ts'
import { verdictOf } from '../steps/verdict-fields.ts'
import { cancelled, waitMs } from '../steps/wait-in-call.ts'

export const askToTake: Handler<'askToTake'> = async (engine, input, context) => {
  const { clock, host } = engine
  const session = host.find(input.terminalId)
  session.assertAlive()
  const latest = clock.now() + waitMs(input, context)
  const isTaken = () => session.keyboard.lease.mayType === 'person'
  // What was given back and not told yet is the answer to an earlier call of this.
  if (session.info.handBack === null && !isTaken())
    host.leases.want(session, { by: callerName(context), reason: input.reason })
  const isOpen = () => session.info.wanted !== null || isTaken()
  while (isOpen() && session.exit === null && clock.now() < latest) {
    await host.leases.changed(session, latest, context.signal)
    if (context.signal?.aborted) throw cancelled()
  }
  const done = session.info.handBack === null ? 'declined' : 'returned'
  const outcome = session.exit !== null ? 'exited' : isOpen() ? 'timeout' : done
  return { outcome, cursor: session.parsedTo, ...verdictOf(session, await verdictNow(session)) }
}
