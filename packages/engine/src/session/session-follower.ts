/**
 * One follower of a session. Output is not queued for it: the log is the queue, and output that the log evicts before a
 * slow follower has fetched it counts as missed. Verdicts wait in a short list, oldest dropped first and counted.
 *
 * One of a crowd is sent a flood no faster than the crowd's ration allows: its program and other terminals do not wait for the crowd.
 */

import {
  type Clock,
  type Exit,
  followPieceBytes,
  type Millis,
  type Offset,
  type Stop,
  turnsPerFollowerMax,
} from '@agentpty/protocol'
import {
  crowdBehindBytesMax,
  crowdBurstBytes,
  crowdBytesPerSecond,
  type EchoState,
  type FollowOptions,
  type Lease,
  rationPauseMs,
  type SessionEvent,
} from '@agentpty/protocol/session'
import type { OutputLog } from '../log/output-log.ts'

export type TurnEvent = Extract<SessionEvent, { type: 'turn' }>

export interface Followed {
  readonly log: OutputLog
  readonly parsedTo: Offset
  readonly exit: Exit | null
}

export interface SessionFollowerParts {
  readonly clock: Clock
  readonly ration: Ration
  /** Called for each verdict that came too fast for this follower. */
  readonly dropped: () => void
  readonly news: FollowerNews
}

export class SessionFollower {
  readonly #followed: Followed
  readonly #options: FollowOptions
  readonly #turns: TurnQueue
  readonly #parts: SessionFollowerParts
  #cancelRecheck: Stop = () => {}
  #sentTo: Offset
  #isOver = false
  #wake: () => void = () => {}

  constructor(followed: Followed, options: FollowOptions, parts: SessionFollowerParts) {
    this.#parts = parts
    this.#turns = new TurnQueue(parts.dropped)
    this.#followed = followed
    this.#options = options
    this.#sentTo = options.output !== undefined && 'since' in options.output ? options.output.since : 0
  }

  /** There may be something new. */
  recheck(): void {
    this.#wake()
  }

  turn(event: TurnEvent): void {
    this.#turns.add(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#cancelRecheck()
    this.#wake()
  }

  async *events(): AsyncGenerator<SessionEvent> {
    while (!this.#isOver) {
      const event = this.#next()
      if (event !== null) yield event
      if (event?.type === 'exit') return
      if (event === null && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** A verdict comes after the output it was judged from. */
  #next(): SessionEvent | null {
    const { exit, parsedTo } = this.#followed
    const news = this.#parts.news.next()
    if (news !== null) return news
    if (this.#isHeldBack()) return null
    const turn = this.#turns.first
    const output = this.#options.output === undefined ? null : this.#output(Math.min(turn?.at ?? parsedTo, parsedTo))
    if (output !== null) return output
    if (turn !== undefined) return this.#turns.take()
    return exit === null ? null : { type: 'exit', exit }
  }

  /** Whether output is withheld. Verdicts and the exit come after it. */
  #isHeldBack(): boolean {
    const { clock, ration } = this.#parts
    const behind = this.#options.output === undefined ? 0 : this.#followed.parsedTo - this.#sentTo
    if (behind <= crowdBehindBytesMax || !ration.isSpent) return false
    this.#cancelRecheck()
    this.#cancelRecheck = clock.callAt(clock.now() + rationPauseMs, () => this.#wake())
    return true
  }

  #output(until: Offset): SessionEvent | null {
    if (this.#sentTo >= until) return null
    const { log } = this.#followed
    const { bytes, from, next, missedBytes } = log.read({ since: this.#sentTo, until, maxBytes: followPieceBytes })
    this.#sentTo = Math.max(next, this.#sentTo)
    this.#parts.ration.spend(bytes.length)
    return { type: 'output', offset: from, bytes, next, missedBytes }
  }
}

/** The newest verdicts that wait for a slow follower. Dropped ones are counted. */
export class TurnQueue {
  readonly #turns: TurnEvent[] = []
  readonly #dropped: () => void
  #missedTurns = 0

  constructor(dropped: () => void) {
    this.#dropped = dropped
  }

  get first(): TurnEvent | undefined {
    return this.#turns[0]
  }

  add(event: TurnEvent): void {
    this.#turns.push(event)
    if (this.#turns.length <= turnsPerFollowerMax) return
    this.#turns.shift()
    this.#missedTurns += 1
    this.#dropped()
  }

  /** Removes the first verdict. The result says how many before it were dropped; null without a verdict. */
  take(): TurnEvent | null {
    const turn = this.#turns.shift()
    if (turn === undefined) return null
    const missedTurns = this.#missedTurns
    this.#missedTurns = 0
    return missedTurns === 0 ? turn : { ...turn, missedTurns }
  }
}

/** The events of a follower besides output and turns: first the current state, then each change, the newest only. */
export interface Leased {
  readonly keyboard: { readonly lease: Lease }
}

export class FollowerNews {
  readonly #session: Leased
  /** Judges anew whether typed input is shown. */
  readonly #echoNow: () => EchoState
  readonly #wants: Pick<FollowOptions, 'lease' | 'echo'>
  /** The values that were passed on last. */
  #lease: Lease | null = null
  #echo: EchoState | null = null

  constructor(session: Leased, echoNow: () => EchoState, wants: Pick<FollowOptions, 'lease' | 'echo'>) {
    this.#session = session
    this.#echoNow = echoNow
    this.#wants = wants
  }

  get isDue(): boolean {
    return this.#isLeaseDue || this.#isEchoDue
  }

  /** Null when nothing is due. */
  next(): SessionEvent | null {
    // The echo state comes before the lease, because it may forbid showing what is typed.
    if (this.#isEchoDue) {
      this.#echo = this.#echoNow()
      return { type: 'echo', ...this.#echo }
    }
    if (!this.#isLeaseDue) return null
    const { lease } = this.#session.keyboard
    this.#lease = lease
    return { type: 'lease', lease }
  }

  get #isLeaseDue(): boolean {
    return this.#wants.lease === true && this.#session.keyboard.lease !== this.#lease
  }

  get #isEchoDue(): boolean {
    return this.#wants.echo === true && this.#echoNow() !== this.#echo
  }
}

/** The bytes that a follower may be sent. */
export interface Ration {
  readonly isSpent: boolean
  spend(bytes: number): void
}

/**
 * Bounds the bytes that all followers with a screen are sent together. Otherwise a flood with many watchers would be sent once for each,
 * and its program and all other terminals would wait for that.
 */
export class CrowdBudget implements Ration {
  readonly #clock: Clock
  #left = crowdBurstBytes
  #filledAt: Millis

  constructor(clock: Clock) {
    this.#clock = clock
    this.#filledAt = clock.now()
  }

  get isSpent(): boolean {
    const now = this.#clock.now()
    const refilled = this.#left + ((now - this.#filledAt) / 1_000) * crowdBytesPerSecond
    this.#left = Math.min(crowdBurstBytes, refilled)
    this.#filledAt = now
    return this.#left <= 0
  }

  spend(bytes: number): void {
    this.#left -= bytes
  }
}
