/** The only code that asks the machine for the time. Everything else gets a Clock. */

import type { Clock } from '../../contracts/ports.ts'

/** setTimeout fires at once when asked for more than 2^31-1 ms. */
const timeoutMsMax = 2_000_000_000

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  callAt(at, call) {
    const wait = Math.min(Math.max(at - performance.now(), 0), timeoutMsMax)
    const timer = setTimeout(call, Math.ceil(wait))
    return () => clearTimeout(timer)
  },
}

/** A wall time as people and programs write it. */
export function isoTime(wall: number): string {
  return new Date(wall).toISOString()
}
