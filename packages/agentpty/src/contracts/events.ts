/** What happens in a terminal, for those who follow it: first everything that is there, then every event once. */

import { z } from 'zod'
import { TermError } from './errors.ts'
import type { Exit } from './ports.ts'
import { TerminalId } from './terminal-fields.ts'
import type { Millis, Offset } from './units.ts'
import type { Verdict } from './verdict.ts'

export type SessionEvent =
  /** `missedBytes` were dropped from the log before this follower came for them. */
  | { readonly type: 'output'; readonly offset: Offset; readonly bytes: Uint8Array; readonly missedBytes: number }
  /** It became somebody's turn, or a weak verdict was confirmed or taken back. `at`: log end when it was judged, `heldMs`: how long it has held by then. */
  | { readonly type: 'turn'; readonly at: Offset; readonly verdict: Verdict; readonly heldMs: Millis }
  | { readonly type: 'exit'; readonly exit: Exit }

export interface FollowOptions {
  /** Output from here on; without it no output is told. */
  readonly output?: { readonly since: Offset }
  /** Tell whose turn it is. Costs kernel looks as long as somebody follows. */
  readonly turn?: boolean
  /** Ends the following. */
  readonly signal?: AbortSignal
}

const FollowInput = z.strictObject({
  terminalId: TerminalId,
  since: z.number().int().min(0).optional(),
  turn: z.boolean().optional(),
})

/** What came over a wire. Errors: `invalid_input`. */
export function parseFollow(input: unknown): FollowOptions & { readonly terminalId: string } {
  const parsed = FollowInput.safeParse(input)
  if (!parsed.success)
    throw new TermError(
      'invalid_input',
      'follow needs a terminalId.',
      'For example: {"terminalId":"term-1","turn":true}',
    )
  const { terminalId, since, turn } = parsed.data
  return { terminalId, turn: turn ?? false, ...(since === undefined ? {} : { output: { since } }) }
}
