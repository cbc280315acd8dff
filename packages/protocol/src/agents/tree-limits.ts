import * as z from 'zod'
import { minutesMax, tokensMax, treeDepthMax } from './agent-limits.ts'

const whole = (max: number) => z.number().int().min(0).max(max).optional()

/** Limits of what may be opened from inside terminals: of a terminal and all below it. */
export const TreeLimits = z.strictObject({
  depth: whole(treeDepthMax).describe('How many levels may be below it. Default 5.'),
  children: whole(10_000).describe('How many terminals each may have open that it has opened itself. Default 50.'),
  total: whole(10_000).describe('How many may be open below it together. Default 200.'),
  startsPerMinute: whole(1_000).describe('How many may be opened below it within any minute. Default 30.'),
  wallMinutes: whole(minutesMax).describe(
    'How long one may last: then it is closed with all below it. Default: without end.',
  ),
  tokens: whole(tokensMax).describe(
    'How many tokens it and all below it may use together, in and out: then nothing is started below it, and none of them is instructed. Default: any.',
  ),
})
export type TreeLimits = z.infer<typeof TreeLimits>

/** Limits that a terminal was given when it was opened. They count for it and all below it. */
export const GivenLimits = z.object({ of: z.string(), limits: TreeLimits })
export type GivenLimits = z.infer<typeof GivenLimits>
