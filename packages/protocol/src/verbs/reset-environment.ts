import * as z from 'zod'
import { ResetResult } from '../gym/environment.ts'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const resetEnvironment = defineVerb({
  name: 'resetEnvironment',
  tool: null,
  title: 'Reset environment',
  summary:
    'Begin an episode: its files are what they were, its programs are new, and all that the last one has left is gone.',
  effect: 'destroys',
  touches: 'nobody',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.reset()' },
  input: z.strictObject({
    environmentId,
    seed: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Programs find it as AGENTPTY_SEED and PYTHONHASHSEED.'),
  }),
  output: ResetResult,
  example: { environmentId: 'env-1', seed: 7 },
  answer: {
    observation: '>>>',
    info: {
      state: 'ready',
      kind: 'repl',
      confidence: 'certain',
      cursor: { from: 0, to: 12 },
      timing: { stepMs: 31.412 },
      isolation: 'container',
      resetBy: 'overlay-memory',
      episodeId: 'env-1-1',
      step: 0,
      terminalId: 'term-1',
    },
  },
})
