import * as z from 'zod'
import { pipelineFileBytesMax, ShownRun } from '../pipelines/pipeline.ts'
import { defineVerb } from './verb.ts'

const RunId = z.string().min(1).max(40).describe('Of `pipelines`.')

export const runPipeline = defineVerb({
  name: 'runPipeline',
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
})

export const pipelines = defineVerb({
  name: 'pipelines',
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
})

export const stepOutput = defineVerb({
  name: 'stepOutput',
  title: 'Read step',
  summary: 'The answer of a step that is done.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline show', library: 'client.call("stepOutput")' },
  input: z.strictObject({
    runId: RunId,
    key: z.string().min(1).max(60).describe('The key of the step.'),
  }),
  output: z.object({ output: z.string().nullable().describe('null while there is none.') }),
  example: { runId: 'run-1', key: 'audit' },
})

export const cancelPipeline = defineVerb({
  name: 'cancelPipeline',
  title: 'Cancel pipeline',
  summary: 'End the steps of a run that are at work, with their agents, and begin no more.',
  effect: 'destroys',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline cancel', library: 'client.call("cancelPipeline")' },
  input: z.strictObject({ runId: RunId }),
  output: z.object({ run: ShownRun }),
  example: { runId: 'run-1' },
})

export const resumePipeline = defineVerb({
  name: 'resumePipeline',
  title: 'Resume pipeline',
  summary: 'Do again what has failed or was cancelled in a run, and what was skipped for it; what is done stays.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: 'by calls', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline resume', library: 'client.call("resumePipeline")' },
  input: z.strictObject({ runId: RunId }),
  output: z.object({ run: ShownRun }),
  example: { runId: 'run-1' },
})
