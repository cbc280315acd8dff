/** Time as the scripted model logs it, so that verdicts and truth can be compared. */

import { setTimeout as sleep } from 'node:timers/promises'

export { sleep }

/** Milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now()

/** Polls until the result is not null; null when the time is over first. */
export async function poll<T>(
  ask: () => Promise<T | null> | T | null,
  timeoutMs: number,
  everyMs = 20,
): Promise<T | null> {
  const deadline = now() + timeoutMs
  while (true) {
    const answer = await ask()
    if (answer !== null || now() >= deadline) return answer
    await sleep(everyMs)
  }
}
