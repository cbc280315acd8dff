import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defined } from '../collections.ts'
import { invalidInput } from '../errors.ts'
import { columnsMax, rowsMax, streamEventsAheadMax } from '../limits.ts'
import type { FollowOptions } from './events.ts'

const FollowInput = z.strictObject({
  terminalId: TerminalId,
  since: z.number().int().min(0).optional(),
  fromScreen: z.boolean().optional(),
  frames: z
    .strictObject({
      cols: z.number().int().min(1).max(columnsMax),
      rows: z.number().int().min(1).max(rowsMax),
      isPinned: z.boolean().default(false),
      above: z.boolean().default(false),
      links: z.boolean().default(false),
    })
    .optional(),
  turn: z.union([z.boolean(), z.literal('evidence')]).optional(),
  lease: z.boolean().optional(),
  echo: z.boolean().optional(),
  ahead: z.number().int().min(1).max(streamEventsAheadMax).optional(),
})

/** Parses the input of `follow` from a wire. Errors: `invalid_input`. */
export function parseFollow(input: unknown): FollowOptions & { readonly terminalId: string } {
  const parsed = FollowInput.safeParse(input)
  if (!parsed.success)
    throw invalidInput('follow needs a terminalId.', 'For example: {"terminalId":"term-1","turn":true}')
  const { terminalId, since, fromScreen, frames, turn, lease, echo, ahead } = parsed.data
  return defined({
    terminalId,
    turn: turn ?? false,
    lease: lease ?? false,
    echo: echo ?? false,
    output: fromScreen ? ({ from: 'screen' } as const) : since === undefined ? undefined : { since },
    frames,
    ahead,
  })
}
