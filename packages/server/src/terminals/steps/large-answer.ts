/**
 * Large answers take turns with drawing, so that neither delays others, and are made only for a caller that has room
 * for another: a caller that asks for a hundred and reads slowly gets all of them, one after the other.
 */

import { longTurns } from '@agentpty/engine/session'
import type { CallContext } from '@agentpty/protocol/call'
import { cancelled } from './wait-in-call.ts'

const never = new AbortController().signal

/** Resolves when it is this call's turn. Errors: `cancelled` when the caller has gone meanwhile. */
export async function turnForLargeAnswer({ signal = never, room }: CallContext): Promise<void> {
  for (;;) {
    await longTurns.turn()
    if (signal.aborted) throw cancelled()
    // Checked once it is our turn: the answers before this one are being sent by then.
    const waiting = room?.(signal) ?? null
    if (waiting === null) return
    await waiting
  }
}
