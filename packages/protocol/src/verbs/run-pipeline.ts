import * as z from 'zod'
import { pipelineFileBytesMax } from '../pipelines/pipeline-limits.ts'
import { exampleRun, ShownRun } from '../pipelines/shown-run.ts'
import { defineVerb } from './verb.ts'

export const runPipeline = defineVerb({
  name: 'runPipeline',
  tool: null,
  title: 'Run pipeline',
  summary:
    'Run steps that agents do, each with the answers of those that it needs. It returns at once; the run outlives its caller and the server.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline run', library: 'client.call("runPipeline")' },
  input: z.strictObject({
    text: z.string().max(pipelineFileBytesMax).describe('The pipeline, in YAML: see docs/pipelines.md.'),
    inputs: z.record(z.string(), z.string().max(100_000)).default({}).describe('What its inputs are.'),
    cwd: z.string().max(4_000).optional().describe('Where its steps work. Default: the folder of the caller.'),
  }),
  output: z.object({ run: ShownRun }),
  example: { text: 'steps:\n  audit: {agent: claude, task: Audit this repository}\n' },
  answer: { run: exampleRun },
})
