/** A run as callers see it. */

import * as z from 'zod'
import { type PipelineRun, runStates, StepRun } from './run.ts'

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

export const exampleRun: ShownRun = {
  runId: 'run-1',
  name: 'audit',
  state: 'running',
  startedAt: 1750000000000,
  endedAt: null,
  cwd: '/tmp/repo',
  client: 'agentpty CLI (ada@pts/3)',
  steps: [
    {
      ...{ key: 'audit', step: 'audit', item: null, state: 'working', attempt: 1, terminalId: 'term-4' },
      ...{ startedAt: 1750000000100, endedAt: null, exitCode: null, outputBytes: null, why: null },
    },
  ],
}
