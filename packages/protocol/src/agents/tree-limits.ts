/** Limits of what may be opened from inside terminals: of a terminal and all below it. */

import * as z from 'zod'

const whole = (max: number) => z.number().int().min(0).max(max).optional()

/** Terminals above one another at most; the notes of each name all of them. */
export const treeDepthMax = 32
const minutesMax = 7 * 24 * 60
const tokensMax = 1_000_000_000_000

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

export interface SetTreeLimits {
  readonly depth: number
  readonly children: number
  readonly total: number
  readonly startsPerMinute: number
  /** Null: no end. */
  readonly wallMinutes: number | null
  /** Null: any. */
  readonly tokens: number | null
}

/** A person has as many terminals as `sessionsMax` allows: these hold for what programs in terminals open. */
export const treeLimitsDefault: SetTreeLimits = {
  depth: 5,
  children: 50,
  total: 200,
  startsPerMinute: 30,
  wallMinutes: null,
  tokens: null,
}

/** Limits that a terminal was given when it was opened. They count for it and all below it. */
export const GivenLimits = z.object({ of: z.string(), limits: TreeLimits })
export type GivenLimits = z.infer<typeof GivenLimits>
