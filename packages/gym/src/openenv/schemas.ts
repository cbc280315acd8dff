/** What observations and states look like, for clients that ask. */

import { Observed } from '@agentpty/protocol/gym'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import * as z from 'zod'

const metadata = z.record(z.string(), z.unknown()).describe('Whose turn it is and why, the exit code, times, ids.')

export const observationSchema = inputJsonSchema(
  z.object({
    text: Observed,
    screen: z.string().optional().describe('With `observation: "both"`.'),
    terminated: z.boolean(),
    truncated: z.boolean(),
    metadata,
  }),
)

export const stateSchema = inputJsonSchema(
  z.object({
    episode_id: z.string().nullable(),
    step_count: z.number().int(),
    environment_id: z.string().nullable(),
    terminal_id: z.string().nullable(),
    isolation: z.string().nullable(),
    reset_by: z.string().nullable(),
    workdir: z.string().nullable(),
  }),
)
