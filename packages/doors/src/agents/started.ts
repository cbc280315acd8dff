import type { Millis } from '@agentpty/protocol'
import type { CallOfAgents } from './call.ts'

/** Its terminal once it was started; null when the time is over first. Errors: why it was not started. */
export async function startedWithin(
  started: Promise<string>,
  ms: Millis,
  { clock, signal }: Pick<CallOfAgents, 'clock' | 'signal'>,
): Promise<string | null> {
  let stop = () => {}
  const late = new Promise<null>((resolve) => {
    const cancelTimer = clock.callAt(clock.now() + ms, () => resolve(null))
    const abort = () => resolve(null)
    signal.addEventListener('abort', abort, { once: true })
    stop = () => {
      cancelTimer()
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([started, late])
  } finally {
    stop()
  }
}
