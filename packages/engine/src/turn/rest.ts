/**
 * How a program waits when it waits for its caller, and what is new about a wait compared with that.
 *
 * A timer or a connection that it does not have at rest was opened by its work.
 */

import type { Facts, Millis } from '@agentpty/protocol'
import type { Kind } from '@agentpty/protocol/session'

/** Over all waits of one program for its caller so far. */
export interface Rest {
  readonly waiter: number
  /** Null when it has waited without end at least once: then a timer means work. */
  readonly timeoutMs: Millis | null
  /** By the host's clock, when the timer it rested with was due; null without one. */
  readonly timerAt: Millis | null
  /** The most that it had while it waited. */
  readonly threads: number
  readonly children: number
  /** Its main thread polled without end while another waited, at least once: then a timer there means work. */
  readonly mainEndless: boolean
  /** It relays a terminal on which nobody was, and waited for its caller all the same. */
  readonly relayed: boolean
  readonly otherFds: number
  readonly sockets: number
  /** The terminal edited lines for it: it had not put it into raw mode. */
  readonly canonical: boolean
  /** There was text before the cursor, or on the screen: it asks when it waits. */
  readonly asked: boolean
  readonly kind: Kind | null
  /** It has been at a prompt of its own, now or before. */
  readonly interprets: boolean
}

/** A moment by the host's clock and by ours. */
export interface RestStart {
  readonly host: Millis
  readonly own: Millis
}

/** A longer timer only keeps a connection alive, or refreshes a screen. */
const workTimerMs = 3_000
/** A timer that goes off this much earlier than the one at rest is another one. */
const timerSlackMs = 20

/** What is known of a program that waits for its caller now. */
export interface WaitNow {
  readonly facts: Facts
  readonly restingSince: RestStart
  readonly asked: boolean
  readonly kind: Kind | null
}

/** The rest as it is now, joined with earlier ones of the same program. Null when nobody is seen waiting. */
export function restOf({ facts, restingSince, asked, kind }: WaitNow, lastRest: Rest | null): Rest | null {
  if (facts.wait === 'none') return null
  const { waiter, timeoutMs, otherFds, sockets, canonical } = facts
  const known = lastRest?.waiter === waiter ? lastRest : null
  const isEndless = timeoutMs === null || (known !== null && known.timeoutMs === null)
  return {
    waiter,
    timeoutMs: isEndless ? null : timeoutMs,
    timerAt: timeoutMs === null ? null : restingSince.host + timeoutMs,
    threads: Math.max(facts.threads, known?.threads ?? 0),
    children: Math.max(facts.children, known?.children ?? 0),
    mainEndless: facts.mainTimeoutMs === null || known?.mainEndless === true,
    relayed: facts.relay || known?.relayed === true,
    otherFds,
    sockets,
    canonical,
    asked: asked || known?.asked === true,
    kind,
    interprets: kind === 'repl' || known?.interprets === true,
  }
}

/** Input made the program wait for a connection that it does not have at rest. */
export function hasNewConnection(facts: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === facts.waiter && facts.sockets > lastRest.sockets
}

/** A thread or a child that it does not have at rest: what it was asked for may go on there. */
export function hasNewWorker({ waiter, threads, children }: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === waiter && (threads > lastRest.threads || children > lastRest.children)
}

/** A timer in its main thread's loop, which has none at rest. */
export function hasNewMainTimer({ waiter, mainTimeoutMs }: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === waiter && lastRest.mainEndless && isWorkTimer(mainTimeoutMs)
}

/** A timer of its work: it goes off before the one it rested with, or it rested without one. */
export function hasNewTimer(facts: Facts, lastRest: Rest | null, restingSince: RestStart): boolean {
  const { timeoutMs } = facts
  if (lastRest?.waiter !== facts.waiter || !isWorkTimer(timeoutMs)) return false
  if (lastRest.timerAt === null) return lastRest.timeoutMs === null
  return restingSince.host + timeoutMs < lastRest.timerAt - timerSlackMs
}

/** The timer that it rested with is still the first to go off. */
export function hasTimerOfRest({ waiter, timeoutMs }: Facts, lastRest: Rest | null, restingSince: RestStart): boolean {
  if (lastRest?.waiter !== waiter || lastRest.timerAt === null || timeoutMs === null) return false
  return Math.abs(restingSince.host + timeoutMs - lastRest.timerAt) <= timerSlackMs
}

export function isWorkTimer(timeoutMs: Millis | null): timeoutMs is Millis {
  return timeoutMs !== null && timeoutMs <= workTimerMs
}

/** It waits for nothing that it did not wait for at rest. */
export function isAsAtRest(facts: Facts, lastRest: Rest | null): boolean {
  return (
    lastRest?.waiter === facts.waiter &&
    facts.sockets <= lastRest.sockets &&
    facts.otherFds <= lastRest.otherFds &&
    (facts.timeoutMs === null) === (lastRest.timeoutMs === null)
  )
}
