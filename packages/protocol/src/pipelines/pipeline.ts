/** A pipeline as it is written: steps that agents do, of which each may wait for others and use their answers. */

import * as z from 'zod'
import { stepRetriesMax, stepSecondsMax, stepsMax } from './pipeline-limits.ts'

export const StepName = z
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
