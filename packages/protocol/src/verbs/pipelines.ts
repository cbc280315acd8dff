import * as z from 'zod'
import { exampleRun, ShownRun } from '../pipelines/shown-run.ts'
import { defineVerb } from './verb.ts'

export const pipelines = defineVerb({
  name: 'pipelines',
  tool: null,
  title: 'List pipelines',
  summary: 'Runs of pipelines and what has become of their steps; on request after the next change.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline ls', library: 'client.call("pipelines")' },
  input: z.strictObject({
    runId: z.string().min(1).max(40).optional().describe('This one alone.'),
    since: z
      .number()
      .int()
      .optional()
      .describe('What the last call gave as `version`: a change after it ends the wait at once.'),
    waitTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe('Wait this long for the next change of any.'),
  }),
  output: z.object({
    runs: z.array(ShownRun).describe('The newest last.'),
    version: z.number().int().describe('Changes with every change of any run.'),
  }),
  example: {},
  answer: { runs: [exampleRun], version: 12 },
})
