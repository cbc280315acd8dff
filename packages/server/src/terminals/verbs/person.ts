import { defined, invalidInput } from '@agentpty/protocol'
import { callerName } from '@agentpty/protocol/call'
import type { Handler } from '../../call/index.ts'
import { assertNotOwnTree, withBelow } from '../lease-guard.ts'
import { takeHalfLineBack } from '../steps/half-line.ts'
import { typistOf } from '../steps/interact.ts'
import { verdictNow, verdictOf } from '../steps/observe.ts'
import { cancelled, waitMs } from '../steps/wait-in-call.ts'

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

export const askToTake: Handler<'askToTake'> = async (engine, input, context) => {
  const { clock, host } = engine
  const session = host.find(input.terminalId)
  session.assertAlive()
  const latest = clock.now() + waitMs(input, context)
  const isTaken = () => session.keyboard.lease.mayType === 'person'
  // A return that was not reported yet answers an earlier call of this.
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

/** The highest first, so that none can open another one meanwhile; they go on in the other order. */
export const pause: Handler<'pause'> = async (
  engine,
  { terminalIds, paused, below = true, force = false },
  context,
) => {
  const named = terminalIds.map((id) => engine.host.find(id))
  if (paused) assertNotOwnTree(engine, named, context, { what: 'Pausing it', force })
  const held = new Map<string, number>()
  // Terminals that were being opened meanwhile are held as well.
  for (let found = more(); found.length > 0; found = more())
    for (const session of paused ? found.toReversed() : found)
      held.set(session.info.id, await engine.host.hold(session, paused))
  return { terminals: [...held.keys()], processes: [...held.values()].reduce((sum, one) => sum + one, 0) }

  function more() {
    const all = below ? withBelow(engine, named) : named
    return all.filter(({ info, exit }) => exit === null && !held.has(info.id))
  }
}

export const secret: Handler<'secret'> = async ({ host, secrets }, { terminalId, text, newline }, context) => {
  const session = host.find(terminalId)
  if (session.commands.atPrompt)
    throw invalidInput(
      `${session.info.id} is at a shell’s prompt: what is typed there is a command, and kept in its history.`,
      'Start the program that asks for the secret first.',
    )
  // Added before it is typed: the terminal may show it immediately.
  secrets?.add(text)
  // Only persons have this verb.
  const typist = typistOf(session, { ...context, isPerson: true })
  await session.keyboard.writeSecret(Buffer.from(newline ? `${text}\r` : text), typist)
  return { sent: true }
}
