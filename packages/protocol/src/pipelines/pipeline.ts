import * as z from 'zod'

// The bounds of pipelines.

/** Steps of one pipeline, counting a step that expands to several as that many. */
export const stepsMax = 200
export const pipelineFileBytesMax = 256 * 1024
const stepRetriesMax = 10
/** Default and longest time (s) of a step. */
export const stepSecondsDefault = 3_600
const stepSecondsMax = 7 * 86_400
/** Default limit of steps that work at the same time. */
export const stepsAtOnceDefault = 8
/** Runs that are kept, ended ones included; the oldest ended one is dropped first. */
export const runsKeptMax = 100
/** Runs that have not ended. */
export const runsMax = 20

const StepName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,39}$/, 'a name of letters, digits, "_" and "-", which begins with a letter')

const Condition = z
  .strictObject({
    step: StepName.describe('One of those that it needs.'),
    state: z.enum(['done', 'failed', 'skipped']).optional().describe('How it has ended.'),
    exit: z.number().int().optional().describe('The exit code of its program, where that has ended.'),
    answer: z.string().min(1).max(1_000).optional().describe('A text that its answer holds.'),
    not: z.boolean().optional().describe('The opposite of the rest.'),
  })
  .describe('What must hold for the step to be done; otherwise it is skipped.')
export type Condition = z.infer<typeof Condition>

/** A pipeline in its file: steps for agents, each of which may wait for others and use their answers. */
export const Step = z.strictObject({
  agent: z.string().min(1).max(10_000).describe('Who does it: an agent by its name, or any command line.'),
  task: z
    .string()
    .max(200_000)
    .describe('What to do. `{{NAME.output}}` is the answer of a step that it needs, `{{inputs.NAME}}` an input.'),
  needs: z.array(StepName).max(stepsMax).default([]).describe('Steps that must have ended first.'),
  model: z.string().min(1).max(200).optional().describe('Which model the agent uses.'),
  cwd: z.string().min(1).max(4_000).optional().describe('Where it works, from the folder of the run.'),
  when: z.array(Condition).max(20).default([]).describe('Conditions, all of which must hold.'),
  each: z
    .union([z.array(z.string().min(1).max(10_000)).min(1).max(stepsMax), StepName])
    .optional()
    .describe(
      'Once for each of these, or for each item of a step’s answer: of its JSON list, else its lines. `{{item}}` is the one.',
    ),
  retries: z.number().int().min(0).max(stepRetriesMax).default(0).describe('How often it is done again when it fails.'),
  timeout: z.number().int().min(1).max(stepSecondsMax).optional().describe('Seconds it may work. Default 3600.'),
  keep: z.boolean().default(false).describe('Its terminal stays when the run is over.'),
})
export type Step = z.infer<typeof Step>

export const Pipeline = z.strictObject({
  name: z.string().min(1).max(100).optional().describe('What people are shown for it.'),
  description: z.string().max(2_000).optional(),
  inputs: z
    .record(StepName, z.string().max(100_000).nullable())
    .default({})
    .describe('What a run may be given, with what counts otherwise; null: it must be given.'),
  atOnce: z.number().int().min(1).max(stepsMax).optional().describe('Steps at work at once. Default 8.'),
  steps: z.record(StepName, Step).describe('By name.'),
})
export type Pipeline = z.infer<typeof Pipeline>

const stepStates = ['waiting', 'starting', 'working', 'done', 'failed', 'skipped', 'cancelled'] as const
const runStates = ['running', 'done', 'failed', 'cancelled'] as const
export type RunState = (typeof runStates)[number]

/** A run of a pipeline: the states of its steps. It is stored, and continues with the next server. */
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

/** Keeps runs and the answers of their steps. Errors: `machine_unfit`. */
export interface RunStore {
  readonly load: () => readonly PipelineRun[]
  readonly save: (run: PipelineRun) => void
  readonly drop: (runId: string) => void
  /** Null where it is not kept. */
  readonly loadOutput: (runId: string, key: string) => string | null
  readonly saveOutput: (runId: string, key: string, text: string) => void
}

/** A run as callers see it. */
export const ShownRun = z.object({
  runId: z.string().describe('Its id.'),
  name: z.string().optional().describe('The name of its pipeline.'),
  state: z.enum(runStates).describe('`failed`: a step has, and no other asks how it ended.'),
  startedAt: z.number().describe('In milliseconds since 1970.'),
  endedAt: z.number().nullable().describe('null while it runs.'),
  cwd: z.string().describe('Where its steps work.'),
  client: z.string().describe('Who has started it.'),
  steps: z
    .array(z.object({ key: z.string().describe('Its name, and which of several it is.'), ...StepRun.shape }))
    .describe('In the order in which they are written.'),
})
export type ShownRun = z.infer<typeof ShownRun>

export function shownRun({ runId, pipeline, state, startedAt, endedAt, cwd, client, steps }: PipelineRun): ShownRun {
  const shown = Object.entries(steps).map(([key, step]) => ({ key, ...step }))
  const name = pipeline.name === undefined ? {} : { name: pipeline.name }
  return { runId, ...name, state, startedAt, endedAt, cwd, client, steps: shown }
}
