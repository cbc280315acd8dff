/** Follows the details of approvals that their needs do not contain: effects, possible grants and who answered. */

import type { Approval } from '@agentpty/protocol/approvals'
import type { WireClient } from '@agentpty/protocol/wire'

/** The longest wait of one call; the daemon answers earlier on a change. */
const waitMs = 60_000

/** Runs until the signal aborts. While the page is visible, calls that need an approval wait for it. Errors: those of `approvals`. */
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
