import * as z from 'zod'
import { exampleRun, ShownRun } from '../pipelines/shown-run.ts'
import { defineVerb } from './verb.ts'

export const resumePipeline = defineVerb({
  name: 'resumePipeline',
  tool: null,
  title: 'Resume pipeline',
  summary: 'Do again what has failed or was cancelled in a run, and what was skipped for it; what is done stays.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline resume', library: 'client.call("resumePipeline")' },
  input: z.strictObject({
    runId: z.string().min(1).max(40).describe('Of `pipelines`.'),
  }),
  output: z.object({ run: ShownRun }),
  example: { runId: 'run-1' },
  answer: { run: exampleRun },
})
