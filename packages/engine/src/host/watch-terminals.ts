/** Which terminals there are, sent again whenever they change. */

import type { Stop } from '@agentpty/protocol'
import type { SessionInfo, TerminalSummary, TerminalsEvent } from '@agentpty/protocol/session'

export interface WatchedHost {
  readonly sessions: readonly { readonly info: SessionInfo }[]
  /** Calls when a session comes, goes or is renamed; returns a function that stops it. Errors: `limit_reached`. */
  onChange(listener: () => void): Stop
}

/**
 * The terminals as they are now, then after each change; changes while the reader is busy come as one. Errors:
 * `limit_reached`.
 */
export async function* watchTerminals(host: WatchedHost, signal?: AbortSignal): AsyncGenerator<TerminalsEvent, void> {
  let isChanged = true
  let wake = () => {}
  const changed = () => {
    isChanged = true
    wake()
  }
  const stop = host.onChange(changed)
  signal?.addEventListener('abort', changed, { once: true })
  try {
    while (signal?.aborted !== true) {
      if (isChanged) {
        isChanged = false
        yield { type: 'terminals', terminals: host.sessions.map(summaryOf) }
      } else {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    signal?.removeEventListener('abort', changed)
    stop()
  }
}

function summaryOf({ info }: { readonly info: SessionInfo }): TerminalSummary {
  return { terminalId: info.id, name: info.name }
}
