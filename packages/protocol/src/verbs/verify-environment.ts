import * as z from 'zod'
import { Verification } from '../gym/asked-task.ts'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const verifyEnvironment = defineVerb({
  name: 'verifyEnvironment',
  tool: null,
  title: 'Verify environment',
  summary:
    'End the episode, with every program inside, and let the verifier of the environment’s task judge it. Again: the same answer.',
  effect: 'destroys',
  touches: 'nobody',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.verify()' },
  input: z.strictObject({ environmentId }),
  output: Verification,
  example: { environmentId: 'env-1' },
  answer: { reward: 1, rewards: { reward: 1 }, output: '', nextStep: null },
})
