import * as z from 'zod'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const closeEnvironment = defineVerb({
  name: 'closeEnvironment',
  tool: null,
  title: 'Close environment',
  summary: 'End an environment: its programs, its files, its terminals.',
  effect: 'destroys',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.close()' },
  input: z.strictObject({ environmentId }),
  output: z.object({ closed: z.literal(true).describe('Always `true`; one that cannot be ended is an error.') }),
  example: { environmentId: 'env-1' },
  answer: { closed: true },
})
