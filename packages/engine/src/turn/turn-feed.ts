/** Requests kernel facts while a caller needs them, and a moment longer: turning them off and on costs more than a few samples. */

import type { Clock, Facts, Millis, Pty, Stop } from '@agentpty/protocol'
import type { Verdict } from '@agentpty/protocol/session'
import type { TurnAnswer } from './judge-turn.ts'
import type { RestStart } from './rest.ts'

const lingerMs = 100

export class FactWatch {
  readonly #clock: Clock
  readonly #pty: Pty
  /** Called when facts begin to come: older facts may not hold any more. */
  readonly #begin: () => void
  #holders = 0
  #isOn = false
  #isOver = false
  #cancelEnd: Stop = () => {}

  constructor(clock: Clock, pty: Pty, begin: () => void) {
    this.#clock = clock
    this.#pty = pty
    this.#begin = begin
  }

  /** Keeps facts coming; returns a function that ends this. */
  hold(): Stop {
    this.#holders++
    this.#cancelEnd()
    if (!this.#isOn && !this.#isOver) {
      this.#isOn = true
      this.#begin()
      this.#pty.watch(true)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#holders === 0) this.#endLater()
    }
  }

  /** Makes the host sample again and report the facts, even if they are unchanged. */
  ask(): void {
    if (this.#isOn && !this.#isOver) this.#pty.watch(true)
  }

  /** The program has ended: there is nothing to know any more. */
  stop(): void {
    this.#isOver = true
    this.#cancelEnd()
  }

  #endLater(): void {
    if (this.#isOver) return
    this.#cancelEnd = this.#clock.callAt(this.#clock.now() + lingerMs, () => {
      this.#isOn = false
      this.#pty.watch(false)
    })
  }
}

/**
 * The latest usable facts of the kernel, and since when the waiting thread has rested without a break.
 *
 * Facts that were read before the last input reached the terminal are not usable: they show the wait that the input has
 * just ended. The host's own count of the input distinguishes them from newer ones.
 */
export class FactTracker {
  #facts: Facts | null = null
  /** The last facts that came, even if they are not usable any more: a rest is recognized by them. */
  #seen: Facts | null = null
  #restingSince: RestStart = { host: 0, own: 0 }
  /** Pieces of input that have not reached the terminal, as far as the host has reported. */
  #pieces = 0
  #inputWritten = 0
  #lastInputAt: Millis = 0
  #consumedAt: Millis | null = null
  #othersWorkedAt: Millis = 0

  /** Null when no usable facts have come yet. */
  get facts(): Facts | null {
    return this.#facts
  }

  /** The program waited by the last facts, whether they count now or not. */
  get hasRested(): boolean {
    return this.#seen !== null
  }

  /** When the waiting thread was first seen in the state that `facts` shows. */
  get restingSince(): RestStart {
    return this.#restingSince
  }

  get lastInputAt(): Millis {
    return this.#lastInputAt
  }

  /** When it was first known that the program has taken the last input; null while it is not. */
  get consumedAt(): Millis | null {
    return this.#consumedAt
  }

  /** When other threads than the waiting one were last seen on the processor; 0 when they never were. */
  get othersWorkedAt(): Millis {
    return this.#othersWorkedAt
  }

  /** Input is on its way, in this many pieces. */
  sent(pieces: number, now: Millis): void {
    this.#pieces += pieces
    this.#facts = this.#seen = null
    this.#lastInputAt = now
    this.#consumedAt = null
  }

  /** A piece has reached the terminal or was dropped. */
  written(inputWritten: number): void {
    this.#pieces = Math.max(0, this.#pieces - 1)
    this.#inputWritten = inputWritten
    this.#facts = this.#seen = null
  }

  /** The host refused this many pieces. */
  refused(pieces: number): void {
    this.#pieces = Math.max(0, this.#pieces - pieces)
  }

  learn(facts: Facts, now: Millis): void {
    const isOlder = this.#pieces > 0 || facts.inputWritten < this.#inputWritten
    if (isOlder && !facts.inputPending) return
    if (this.#seen === null || !restsOn(this.#seen, facts)) this.#restingSince = { host: facts.at, own: now }
    this.#facts = this.#seen = facts
    if (facts.consumed) this.#consumedAt ??= now
    if (facts.otherThreadsWork) this.#othersWorkedAt = now
  }

  /** Older facts may not hold any more. The count of slices of a thread that waited will show whether it still rests. */
  reset(): void {
    if (this.#facts?.wait === 'none') this.#seen = null
    this.#facts = null
  }
}

/** The same thread is in the same call, without a single time slice since. */
function restsOn(known: Facts, facts: Facts): boolean {
  return (
    known.waiterThread === facts.waiterThread &&
    known.slices === facts.slices &&
    known.wait === facts.wait &&
    known.foreground === facts.foreground &&
    known.state === facts.state
  )
}

/** `heldMs`: how long the verdict has held. */
type TurnListener = (verdict: Verdict, heldMs: Millis) => void

/** Least time between two reports of changed evidence. */
const evidencePauseMs = 100

/**
 * Sends listeners the verdict when it changes, and when one that was weak is confirmed or revoked; to those who want it, also
 * when only its evidence changes. Costs nothing without listeners.
 */
export class TurnFeed {
  readonly #clock: Clock
  /** Called when time alone may have changed the verdict: the owner of the feed judges, and publishes. */
  readonly #recheck: () => void
  /** Each with whether it wants evidence. */
  readonly #listeners = new Map<TurnListener, boolean>()
  #published: Verdict | null = null
  #publishedAt: Millis = Number.NEGATIVE_INFINITY
  #cancelTimer: Stop = () => {}
  #timerAt: Millis = Number.POSITIVE_INFINITY

  constructor(clock: Clock, recheck: () => void) {
    this.#clock = clock
    this.#recheck = recheck
  }

  /** Whether there are listeners: without them the turn need not be judged. */
  get isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** Sends the listener the current verdict, then each change. Returns a function that ends this. */
  listen(listener: TurnListener, now: TurnAnswer, { wantsEvidence = false } = {}): Stop {
    this.#listeners.set(listener, wantsEvidence)
    this.#published = null
    this.publish(now)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stopTimer()
    }
  }

  publish({ verdict, recheckAt }: TurnAnswer): void {
    this.#recheckAt(recheckAt)
    const isChanged = this.#published === null || !isSame(this.#published, verdict)
    if (isChanged || this.#hasNewEvidence(verdict)) this.#send(verdict, isChanged)
  }

  #send(verdict: Verdict, isChanged: boolean): void {
    const now = this.#clock.now()
    this.#published = verdict
    this.#publishedAt = now
    for (const [listener, wantsEvidence] of this.#listeners)
      if (isChanged || wantsEvidence) listener(verdict, now - verdict.since)
  }

  /** New evidence that comes too soon is published later, as it is then. */
  #hasNewEvidence({ rule, evidence }: Verdict): boolean {
    const known = this.#published
    if (![...this.#listeners.values()].includes(true)) return false
    if (known?.rule === rule && known.evidence.join('\n') === evidence.join('\n')) return false
    const dueAt = this.#publishedAt + evidencePauseMs
    if (this.#clock.now() >= dueAt) return true
    this.#recheckAt(dueAt)
    return false
  }

  #stopTimer(): void {
    this.#cancelTimer()
    this.#timerAt = Number.POSITIVE_INFINITY
  }

  /** A timer that is due before stays: it judges once more. */
  #recheckAt(at: Millis | null): void {
    if (at === null || this.#timerAt <= at) return
    this.#stopTimer()
    this.#timerAt = at
    this.#cancelTimer = this.#clock.callAt(at, () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#recheck()
    })
  }
}

function isSame(a: Verdict, b: Verdict): boolean {
  return (
    a.state === b.state &&
    a.kind === b.kind &&
    a.confidence === b.confidence &&
    a.needs === b.needs &&
    a.question === b.question
  )
}
