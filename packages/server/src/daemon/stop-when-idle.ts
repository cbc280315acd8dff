/** A daemon without terminals and clients ends after a while: the next call starts one in a fraction of a second. */

import type { Clock } from '@agentpty/protocol'

const checkMs = 60_000
const idleChecksMax = 10

export interface IdleOptions {
  readonly clock: Clock
  readonly isIdle: () => boolean
  readonly stop: () => void
}

export function stopWhenIdle({ clock, isIdle, stop }: IdleOptions): void {
  let idleChecks = 0
  const check = () => {
    idleChecks = isIdle() ? idleChecks + 1 : 0
    if (idleChecks >= idleChecksMax) stop()
    else clock.callAt(clock.now() + checkMs, check)
  }
  clock.callAt(clock.now() + checkMs, check)
}
