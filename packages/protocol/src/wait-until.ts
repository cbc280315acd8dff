/** Waiting for the first of a change, a time and the abort of a signal. */

import type { Clock } from './ports.ts'
import type { Millis } from './units.ts'

interface WaitLimits {
  readonly clock: Pick<Clock, 'callAt'>
  readonly latest: Millis
  readonly signal?: AbortSignal | undefined
}

/** Resolves with true once a member of `listeners` that it adds is called; with false at `latest`, or when the signal aborts. */
export function changeBefore(listeners: Set<() => void>, { clock, latest, signal }: WaitLimits): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isChanged: boolean) => {
      cancelTimer()
      signal?.removeEventListener('abort', abort)
      listeners.delete(change)
      resolve(isChanged)
    }
    const change = () => settle(true)
    const abort = () => settle(false)
    const cancelTimer = clock.callAt(latest, abort)
    signal?.addEventListener('abort', abort)
    listeners.add(change)
    if (signal?.aborted === true) abort()
  })
}

/** Resolves with the result of the work; with null at `latest`, or when the signal aborts. Errors: those of the work, until then. */
export async function resultBefore<Result>(work: Promise<Result>, limits: WaitLimits): Promise<Result | null> {
  const listeners = new Set<() => void>()
  const settled = () => {
    for (const listener of listeners) listener()
  }
  work.then(settled, settled)
  return (await changeBefore(listeners, limits)) ? work : null
}

export async function pause(clock: Pick<Clock, 'now' | 'callAt'>, ms: Millis, signal?: AbortSignal): Promise<void> {
  await changeBefore(new Set(), { clock, latest: clock.now() + ms, signal })
}
