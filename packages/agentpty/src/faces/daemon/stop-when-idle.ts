/** A daemon without terminals and clients goes after a while: the next call starts one in a fraction of a second. */

import type { Clock } from '../../contracts/ports.ts'

const lookMs = 60_000
const idleLooksMax = 10

export interface IdleOptions {
  readonly clock: Clock
  readonly isIdle: () => boolean
  readonly stop: () => void
}

export function stopWhenIdle({ clock, isIdle, stop }: IdleOptions): void {
  let looks = 0
  const look = () => {
    looks = isIdle() ? looks + 1 : 0
    if (looks >= idleLooksMax) stop()
    else clock.callAt(clock.now() + lookMs, look)
  }
  clock.callAt(clock.now() + lookMs, look)
}
