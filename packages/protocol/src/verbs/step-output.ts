import * as z from 'zod'
import { defineVerb } from './verb.ts'

export const stepOutput = defineVerb({
  name: 'stepOutput',
  tool: null,
  title: 'Read step',
  summary: 'The answer of a step that is done.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty pipeline show', library: 'client.call("stepOutput")' },
  input: z.strictObject({
    runId: z.string().min(1).max(40).describe('Of `pipelines`.'),
    key: z.string().min(1).max(60).describe('The key of the step.'),
  }),
  output: z.object({ output: z.string().nullable().describe('null while there is none.') }),
  example: { runId: 'run-1', key: 'audit' },
  answer: { output: 'Two defects: …' },
})
