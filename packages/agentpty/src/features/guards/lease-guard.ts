/**
 * Persons come first: what an agent would type into a terminal, or do to it, is refused while a person has taken it over, or waits until it
 * is given back where the call asks for that; and it waits while a person is in the middle of a line. It stands before the policy: what is
 * judged is what stands there afterwards.
 */

import type { Call, Guard } from '../../contracts/call/guard.ts'
import { waitMsMax } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import { personTypesMsMax } from '../../contracts/session/lease-limits.ts'
import type { Millis } from '../../contracts/units.ts'
import type { SeenHost } from '../../engine/host/seen-host.ts'
import type { Session } from '../../engine/session/session.ts'

/** Besides typing: what changes the terminal in front of a person. */
const kept: ReadonlySet<Call['name']> = new Set<Call['name']>([
  ...(['send', 'sendKeys', 'run', 'write', 'reply'] as const),
  ...(['resize', 'signal', 'pause', 'close'] as const),
])
/** What a person is just typing is waited for by what types itself. */
const typing: ReadonlySet<Call['name']> = new Set<Call['name']>(['send', 'sendKeys', 'run', 'reply'])

interface KeptInput {
  readonly terminalId?: string
  readonly terminalIds?: readonly string[]
  readonly ifTaken?: 'fail' | 'wait'
  readonly waitTimeoutMs?: Millis
  readonly timeoutMs?: Millis
}

/** Errors: `person_types`, `limit_reached`. */
export function leaseGuard({ host, clock }: { readonly host: SeenHost; readonly clock: Clock }): Guard {
  return (call) => {
    const { name, context } = call
    if (!kept.has(name) || context.isPerson === true) return undefined
    const input = call.input as KeptInput
    const ids = input.terminalIds ?? (input.terminalId === undefined ? [] : [input.terminalId])
    // What is not there is refused by whoever looks for it.
    const sessions = ids.map((id) => host.known(id)).filter((one) => one !== null)
    const blocked = sessions.find((session) => isBlocked(session, name, clock.now()))
    if (blocked === undefined) return undefined
    return untilFree(blocked, call)
  }

  async function untilFree(session: Session, { name, input, context }: Call): Promise<void> {
    const { keyboard } = session
    const { ifTaken, waitTimeoutMs, timeoutMs } = input as KeptInput
    const mostMs = context.waitMsMax ?? waitMsMax
    const latest = clock.now() + Math.min(waitTimeoutMs ?? timeoutMs ?? personTypesMsMax, mostMs)
    const lineLatest = clock.now() + personTypesMsMax
    const isWanted = () => session.exit === null && context.signal?.aborted !== true
    while (isWanted() && isBlocked(session, name, clock.now())) {
      const isTaken = keyboard.lease.mayType === 'person'
      if (isTaken ? ifTaken !== 'wait' || clock.now() >= latest : clock.now() >= lineLatest) break
      await host.leases.changed(session, isTaken ? latest : keyboard.personTypesUntil, context.signal)
    }
    keyboard.assertMayType({ isPerson: false, epoch: context.leaseEpoch ?? keyboard.lease.epoch })
  }
}

function isBlocked({ keyboard }: Session, name: Call['name'], now: Millis): boolean {
  return keyboard.lease.mayType === 'person' || (typing.has(name) && keyboard.personTypesUntil > now)
}
