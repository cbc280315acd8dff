/**
 * Large answers are made in turns with drawing, so that neither holds others up, and only for a caller that has room for another: who
 * asks for a hundred and reads slowly gets all of them, one after the other.
 */

import type { CallContext } from '../../../contracts/call/call-context.ts'
import { longTurns } from '../../../engine/session/long-turns.ts'
import { cancelled } from './wait-in-call.ts'

const never = new AbortController().signal

/** Resolves when it is this call's turn. For a caller that has gone meanwhile nothing is made. Errors: `cancelled`. */
export async function turnForLargeAnswer({ signal = never, room }: CallContext): Promise<void> {
  for (;;) {
    await longTurns.turn()
    if (signal.aborted) throw cancelled()
    // Asked once it is our turn: the answers before this one are on their way by then.
    const waiting = room?.(signal) ?? null
    if (waiting === null) return
    await waiting
  }
}
