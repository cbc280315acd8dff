/**
 * Gives persons priority over agents. A call that types into a terminal or changes it is refused while a person has
 * taken it over, or waits for its return where the call asks for that. It also waits while a person is in the middle of
 * a line.
 *
 * It runs before the policy, which judges the state after the wait.
 */

import type { SeenHost } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import { type Clock, type Millis, waitMsMax } from '@agentpty/protocol'
import { type Call, type CallContext, type Guard, terminalsOf } from '@agentpty/protocol/call'
import { aboveOwnError, ownTerminalError, personTypesMsMax, terminalVariable } from '@agentpty/protocol/session'
import { isVerbName, type Safety, verbs } from '@agentpty/protocol/verbs'

/** How a call is kept out while a person has the terminal: `line` also waits until the person has finished a line. */
type Keeping = NonNullable<Safety['yields']>

interface KeptInput {
  readonly ifTaken?: 'fail' | 'wait'
  readonly waitTimeoutMs?: Millis
  readonly timeoutMs?: Millis
}

/** Errors: `person_types`, `limit_reached`. */
export function leaseGuard({ host, clock }: { readonly host: SeenHost; readonly clock: Clock }): Guard {
  return (call) => {
    const keeping = isVerbName(call.name) ? verbs[call.name].safety.yields : null
    if (keeping === null || call.context.isPerson === true) return undefined
    // A missing terminal is refused later, by the code that looks it up.
    const sessions = terminalsOf(call)
      .map((id) => host.known(id))
      .filter((one) => one !== null)
    const blocked = sessions.find((session) => isBlocked(session, keeping, clock.now()))
    if (blocked === undefined) return undefined
    return untilFree(blocked, keeping, call)
  }

  async function untilFree(session: Session, keeping: Keeping, { input, context }: Call): Promise<void> {
    const { keyboard } = session
    const { ifTaken, waitTimeoutMs, timeoutMs } = input as KeptInput
    const mostMs = context.waitMsMax ?? waitMsMax
    const latest = clock.now() + Math.min(waitTimeoutMs ?? timeoutMs ?? personTypesMsMax, mostMs)
    const lineLatest = clock.now() + personTypesMsMax
    const isWanted = () => session.exit === null && context.signal?.aborted !== true
    while (isWanted() && isBlocked(session, keeping, clock.now())) {
      const isTaken = keyboard.lease.mayType === 'person'
      if (isTaken ? ifTaken !== 'wait' || clock.now() >= latest : clock.now() >= lineLatest) break
      await host.leases.changed(session, isTaken ? latest : keyboard.personTypesUntil, context.signal)
    }
    keyboard.assertMayType({ isPerson: false, epoch: context.leaseEpoch ?? keyboard.lease.epoch })
  }
}

function isBlocked({ keyboard }: Session, keeping: Keeping, now: Millis): boolean {
  return keyboard.lease.mayType === 'person' || (keeping === 'line' && keyboard.personTypesUntil > now)
}

// Terminals that a caller may not end or hold: its ancestors, and its own unless the call forces it.

interface Doing {
  /** `Closing it`. */
  readonly what: string
  readonly force: boolean
}

/** Errors: `own_terminal`. */
export function assertNotOwnTree(
  { host }: { readonly host: Pick<SeenHost, 'allSessions'> },
  sessions: readonly Session[],
  { env }: Pick<CallContext, 'env'>,
  { what, force }: Doing,
): void {
  const own = host.allSessions.find(({ info }) => info.id === env[terminalVariable])
  if (own === undefined || own.exit !== null) return
  const above = sessions.find(({ info, exit }) => exit === null && own.info.ancestors.includes(info.id))
  if (above !== undefined) throw aboveOwnError(above.info.id, own.info.id, what)
  if (!force && sessions.includes(own)) throw ownTerminalError(own.info.id, what)
}

/** Refuses to end everything while the programs that started the caller are at work. Errors: `own_terminal`. */
export function ownTreeGuard(host: Pick<SeenHost, 'allSessions'>): Guard {
  return ({ name, input, context }) => {
    if (name !== 'stop' || !(input as { readonly all: boolean }).all) return
    assertNotOwnTree({ host }, host.allSessions, context, { what: 'Ending everything', force: true })
  }
}

/** The terminals, and those opened from them, and from those, as far as the caller sees them: the lowest first. */
export function withBelow(
  { host }: { readonly host: Pick<SeenHost, 'sessions'> },
  sessions: readonly Session[],
): readonly Session[] {
  const ids = new Set(sessions.map(({ info }) => info.id))
  const below = host.sessions.filter(({ info }) => info.ancestors.some((id) => ids.has(id)))
  return [...new Set([...sessions, ...below])].toSorted((a, b) => b.info.ancestors.length - a.info.ancestors.length)
}
