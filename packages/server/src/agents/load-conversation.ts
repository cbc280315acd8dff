/**
 * An agent that goes on with an earlier conversation may look idle before it has loaded it. What is entered then is lost: the conversation
 * takes its place.
 */

import { isTermError, waitMsMax } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import { outliving } from './outliving.ts'

/** Goes on after the call of `terminals` has ended. `shows`: on its screen once it is loaded. */
export function loadConversation(
  terminalId: string,
  shows: string,
  { terminals, kept }: { readonly terminals: AgentTerminals; readonly kept: KeptByTerminal },
): void {
  const waiting = { terminalIds: [terminalId], since: [0], waitFor: { text: shows }, waitTimeoutMs: waitMsMax }
  const loading = outliving(terminals)
    .call('wait', waiting)
    .then(
      () => {},
      (error: unknown) => {
        // It has gone, and whoever instructs it is told.
        if (!isTermError(error)) throw error
      },
    )
  kept.loading.set(terminalId, loading)
  void loading.finally(() => kept.loading.delete(terminalId))
}
