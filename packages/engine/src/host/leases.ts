/**
 * The leases of terminals, which decide who may type. Persons take terminals over, extend the lease, and return them. A lease that is
 * not extended ends automatically. A lease is noted with its session before it takes effect, so it outlives this engine.
 */

import { type Clock, changeBefore, limitReached, type Millis, type Stop, waitsPerSessionMax } from '@agentpty/protocol'
import { freeLease, type HandBack, type Lease, type SessionInfo } from '@agentpty/protocol/session'
import type { Session } from '../session/session.ts'

export interface Taking {
  readonly holder: string
  readonly reason: string | null
  readonly forMs: Millis
}

export interface Taken {
  readonly lease: Lease
  /** The number of dropped bytes: input of others that the program had not read. */
  readonly droppedBytes: number
}

export interface LeasesParts {
  readonly clock: Clock
  readonly note: (session: Session, info: SessionInfo) => void
}

export class Leases {
  readonly #parts: LeasesParts
  readonly #ends = new Map<Session, Stop>()
  readonly #waiting = new Map<Session, Set<() => void>>()

  constructor(parts: LeasesParts) {
    this.#parts = parts
  }

  /** Takes up the lease of a session that another engine has left. */
  takeUp(session: Session): void {
    this.#endInTime(session)
  }

  /** Gives the terminal to the holder. Once it resolves, no input of others reaches the program. A present holder keeps the epoch. */
  async take(session: Session, { holder, reason, forMs }: Taking): Promise<Taken> {
    const { info } = session
    const { lease } = info
    const now = this.#parts.clock.wall()
    const endsAt = now + forMs
    if (lease.mayType === 'person' && lease.holder === holder) {
      const extended = { ...lease, endsAt, reason: reason ?? lease.reason }
      this.#set(session, { ...info, lease: extended })
      return { lease: extended, droppedBytes: 0 }
    }
    const since = lease.since ?? session.log.end
    const epoch = lease.epoch + 1
    const taken: Lease = { mayType: 'person', epoch, holder, reason, takenAt: now, endsAt, since, removed: null }
    this.#set(session, { ...info, lease: taken, wanted: null })
    return { lease: taken, droppedBytes: await session.keyboard.dropUnread() }
  }

  /** Ends the lease. The report for agents about it is kept until one has typed. */
  release(session: Session, mayType: 'both' | 'agent', how: HandBack['how'] = 'returned'): Lease {
    const { info } = session
    const { lease } = info
    const free: Lease = { ...freeLease, mayType, epoch: lease.epoch + 1 }
    const { holder, takenAt, since, removed } = lease
    const until = session.log.end
    const returnedAt = this.#parts.clock.wall()
    const handBack =
      holder === null || takenAt === null || since === null
        ? info.handBack
        : { by: holder, how, since, until, takenAt, returnedAt, removed }
    this.#set(session, { ...info, lease: free, handBack })
    return free
  }

  /** Notes that an agent asks for a person, or that no agent does any more. */
  want(session: Session, wanted: { readonly by: string; readonly reason: string } | null): void {
    const since = this.#parts.clock.wall()
    this.#parts.note(session, { ...session.info, wanted: wanted === null ? null : { ...wanted, since } })
    this.#wake(session)
  }

  /** Notes that an agent's unfinished line was removed, for the report that the agent gets afterwards. */
  removed(session: Session, text: string): void {
    const { info } = session
    this.#parts.note(session, { ...info, lease: { ...info.lease, removed: text } })
  }

  /** Clears the report of the hand-back, because an agent has read it and continued. */
  clearHandBack(session: Session): void {
    if (session.info.handBack !== null) this.#parts.note(session, { ...session.info, handBack: null })
  }

  /** Resolves at the next change, at `latest`, or when it is aborted. Errors: `limit_reached`. */
  async changed(session: Session, latest: Millis, signal: AbortSignal | undefined): Promise<void> {
    const waiting = this.#waiting.get(session) ?? new Set()
    if (waiting.size >= waitsPerSessionMax)
      throw limitReached(`${waiting.size} calls wait for ${session.info.id} already.`, 'Try again later.')
    this.#waiting.set(session, waiting)
    await changeBefore(waiting, { clock: this.#parts.clock, latest, signal })
    if (waiting.size === 0) this.#waiting.delete(session)
  }

  /** The session has gone. */
  forget(session: Session): void {
    this.#ends.get(session)?.()
    this.#ends.delete(session)
    this.#wake(session)
  }

  #set(session: Session, info: SessionInfo): void {
    this.#parts.note(session, info)
    this.#endInTime(session)
    session.followers.recheck()
    session.keyboard.runLock.recheck()
    this.#wake(session)
  }

  #wake(session: Session): void {
    for (const wake of this.#waiting.get(session) ?? []) wake()
  }

  #endInTime(session: Session): void {
    this.#ends.get(session)?.()
    this.#ends.delete(session)
    const { endsAt, epoch } = session.info.lease
    if (endsAt === null) return
    const { clock } = this.#parts
    const stop = clock.callAt(clock.now() + Math.max(0, endsAt - clock.wall()), () => {
      if (session.info.lease.epoch === epoch) this.release(session, 'both', 'ended')
    })
    this.#ends.set(session, stop)
  }
}
