/** `[metadata.agentpty]` of task.toml: what a task that is made for terminals says beyond Harbor. Other readers pass over it. */

import { Columns, Rows } from '@agentpty/protocol/call'
import { type DeepReadonly, EnvironmentSpec, Program } from '@agentpty/protocol/gym'
import * as z from 'zod'

export const OwnMetadata = z.looseObject({
  /** What runs on the terminal. Without it: an interactive bash. */
  program: Program.optional(),
  /** Further terminals, by their names. */
  terminals: EnvironmentSpec.shape.terminals,
  clock: EnvironmentSpec.shape.clock,
  rows: Rows.optional(),
  cols: Columns.optional(),
  observation: EnvironmentSpec.shape.observation.unwrap().optional(),
  stepTimeoutMs: EnvironmentSpec.shape.stepTimeoutMs.unwrap().optional(),
  maxEpisodeSteps: EnvironmentSpec.shape.maxEpisodeSteps,
  /** Programs that must be on this machine, by their names. */
  commands: z.array(z.string().min(1)).max(100).default([]),
  /** Debian packages that have them. */
  requires: z
    .array(z.string().regex(/^[a-z\d][a-z\d+.-]*$/))
    .max(100)
    .default([]),
  /** The same actions end with the same screen. */
  deterministic: z.boolean().optional(),
})
export type OwnMetadata = DeepReadonly<z.output<typeof OwnMetadata>>
