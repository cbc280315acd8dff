/** A run of a pipeline: what has become of its steps. It is kept, and goes on with the next server. */

import * as z from 'zod'
import { Pipeline, StepName } from './pipeline.ts'

export const stepStates = ['waiting', 'starting', 'working', 'done', 'failed', 'skipped', 'cancelled'] as const
export type StepState = (typeof stepStates)[number]
export const runStates = ['running', 'done', 'failed', 'cancelled'] as const
export type RunState = (typeof runStates)[number]

export const StepRun = z.strictObject({
  step: StepName.describe('Its name in the pipeline.'),
  /** The item that it is done for; null for a step that is done once. */
  item: z.string().nullable().describe('What it is done for, of `each`.'),
  state: z.enum(stepStates),
  attempt: z.number().int().min(0).describe('How often it was begun.'),
  terminalId: z.string().nullable().describe('Where it is done, or was last.'),
  startedAt: z.number().nullable().describe('In milliseconds since 1970.'),
  endedAt: z.number().nullable(),
  exitCode: z.number().int().nullable().describe('Of its program, where that has ended.'),
  outputBytes: z.number().int().nullable().describe('How long its answer is.'),
  why: z
    .string()
    .nullable()
    .describe('Why it failed or was skipped; of one that is done, what is to be known of its output.'),
})
export type StepRun = Readonly<z.infer<typeof StepRun>>

export const PipelineRun = z.strictObject({
  runId: z.string(),
  pipeline: Pipeline,
  inputs: z.record(z.string(), z.string()),
  cwd: z.string().describe('Where its steps work.'),
  client: z.string().describe('Who has started it.'),
  scope: z.string().nullable().describe('Of who has started it; null without one.'),
  state: z.enum(runStates),
  startedAt: z.number().describe('In milliseconds since 1970.'),
  endedAt: z.number().nullable(),
  /** By key: the name of the step, and which of several it is. */
  steps: z.record(z.string(), StepRun),
})
export type PipelineRun = Readonly<z.infer<typeof PipelineRun>>

/** Keeps runs and the answers of their steps. Errors: `environment`. */
export interface RunStore {
  readonly load: () => readonly PipelineRun[]
  readonly save: (run: PipelineRun) => void
  readonly drop: (runId: string) => void
  /** Null where it is not kept. */
  readonly loadOutput: (runId: string, key: string) => string | null
  readonly saveOutput: (runId: string, key: string, text: string) => void
}
