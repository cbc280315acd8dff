/** What is known of approvals beyond their needs: effects, what may be granted, and who has answered. */

import type { Approval } from '@agentpty/protocol/approvals'
import type { WireClient } from '@agentpty/protocol/wire'

/** The daemon answers earlier when something changes. */
const waitMs = 60_000

/** Goes on until the signal aborts. While the page shows, calls that need an approval wait for it. Errors: those of `approvals`. */
export async function followApprovals(
  client: WireClient,
  show: (approvals: ReadonlyMap<string, Approval>) => void,
  signal: AbortSignal,
): Promise<void> {
  let waitTimeoutMs = 0
  while (!signal.aborted) {
    await untilVisible(signal)
    const hidden = new AbortController()
    const changed = () => document.visibilityState === 'hidden' && hidden.abort()
    document.addEventListener('visibilitychange', changed)
    try {
      const either = AbortSignal.any([signal, hidden.signal])
      const { approvals } = await client.call('approvals', { all: true, waitTimeoutMs }, { signal: either })
      show(new Map(approvals.map((one) => [one.approvalId, one])))
      waitTimeoutMs = waitMs
    } catch (error) {
      if (!hidden.signal.aborted) throw error
      waitTimeoutMs = 0
    } finally {
      document.removeEventListener('visibilitychange', changed)
    }
  }
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return
  await new Promise<void>((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
