import * as z from 'zod'
import { makeEnvironment } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const environments = defineVerb({
  name: 'environments',
  tool: null,
  title: 'List environments',
  summary: 'List the environments that are there.',
  effect: 'reads',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'client.call("environments")' },
  input: z.strictObject({}),
  output: z.object({
    environments: z.array(
      makeEnvironment.output.extend({
        episodeId: z.string().nullable().describe('`null` before the first reset.'),
        step: z.number().int().describe('Steps of this episode so far.'),
        terminalId: z.string().nullable().describe('The terminal of its program.'),
      }),
    ),
  }),
  example: {},
  answer: {
    environments: [
      {
        environmentId: 'env-1',
        isolation: 'container',
        resetBy: 'overlay-memory',
        workdir: '/app',
        episodeId: 'env-1-1',
        step: 1,
        terminalId: 'term-1',
      },
    ],
  },
})
