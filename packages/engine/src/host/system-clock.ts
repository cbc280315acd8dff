/** The only code that asks the machine for the time. Everything else gets a Clock. */

import type { Clock } from '@agentpty/protocol'

/** setTimeout fires immediately when asked for more than 2^31-1 ms. */
const timeoutMsMax = 2_000_000_000

/** A timer that is later than this was held up by a busy process or machine. */
const lateMs = 20

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  callAt(at, call) {
    const now = performance.now()
    const wait = Math.min(Math.max(at - now, 0), timeoutMsMax)
    const due = now + wait
    let isStopped = false
    const onTime = () => {
      // Timers come before input: after a stall, what has arrived meanwhile is read first.
      if (performance.now() - due < lateMs) call()
      else setImmediate(() => void (isStopped || call()))
    }
    const timer = setTimeout(onTime, Math.ceil(wait))
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  },
}

/** A wall time as people and programs write it. */
export function isoTime(wall: number): string {
  return new Date(wall).toISOString()
}
