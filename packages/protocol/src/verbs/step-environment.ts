import * as z from 'zod'
import { Action } from '../gym/action.ts'
import { StepResult } from '../gym/environment.ts'
import { stepMsMax } from '../gym/gym-limits.ts'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const stepEnvironment = defineVerb({
  name: 'stepEnvironment',
  tool: null,
  title: 'Step environment',
  summary: 'Do one thing in an environment, and see what came of it as soon as it is your turn again.',
  effect: 'destroys',
  touches: 'nobody',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.step()' },
  input: z.strictObject({
    environmentId,
    action: Action,
    timeoutMs: z
      .number()
      .int()
      .min(0)
      .max(stepMsMax)
      .optional()
      .describe('A shorter bound than `stepTimeoutMs`, for this step.'),
  }),
  output: StepResult,
  example: { environmentId: 'env-1', action: '6 * 7' },
  answer: {
    observation: '42\n>>>',
    reward: 0,
    terminated: false,
    truncated: false,
    info: {
      state: 'ready',
      kind: 'repl',
      confidence: 'certain',
      cursor: { from: 12, to: 29 },
      timing: { stepMs: 2.113 },
      isolation: 'container',
      resetBy: 'overlay-memory',
      episodeId: 'env-1-1',
      step: 1,
      terminalId: 'term-1',
    },
  },
})
