import * as z from 'zod'
import { exampleRun, ShownRun } from '../pipelines/shown-run.ts'
import { defineVerb } from './verb.ts'

export const cancelPipeline = defineVerb({
  name: 'cancelPipeline',
  tool: null,
  title: 'Cancel pipeline',
  summary: 'End the steps of a run that are at work, with their agents, and begin no more.',
  effect: 'destroys',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline cancel', library: 'client.call("cancelPipeline")' },
  input: z.strictObject({
    runId: z.string().min(1).max(40).describe('Of `pipelines`.'),
  }),
  output: z.object({ run: ShownRun }),
  example: { runId: 'run-1' },
  answer: { run: { ...exampleRun, state: 'cancelled' as const, endedAt: 1750000009000 } },
})
