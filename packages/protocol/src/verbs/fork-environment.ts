import * as z from 'zod'
import { TaskAbout } from '../gym/asked-task.ts'
import { ResetResult } from '../gym/environment.ts'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const forkEnvironment = defineVerb({
  name: 'forkEnvironment',
  tool: null,
  title: 'Fork environment',
  summary:
    'Make another environment that has come as far as this one: by taking its actions again, or with its files and new programs.',
  effect: 'changes',
  touches: 'nobody',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.fork()' },
  input: z.strictObject({
    environmentId,
    how: z
      .enum(['replay', 'files'])
      .default('replay')
      .describe(
        '`replay`: the same seed and the same actions. `files`: the files as they are now, and its programs begin anew; of a task of several steps, once it is judged, in the next one.',
      ),
  }),
  output: ResetResult.extend({
    environmentId,
    task: TaskAbout.optional(),
    replayed: z.number().int().describe('Actions that were taken again.'),
    differsAt: z
      .number()
      .int()
      .nullable()
      .describe('The first step that has shown something else than in the original; `null`: none.'),
  }),
  example: { environmentId: 'env-1' },
  answer: {
    environmentId: 'env-2',
    replayed: 1,
    differsAt: null,
    observation: '42\n>>>',
    info: {
      state: 'ready',
      kind: 'repl',
      confidence: 'certain',
      cursor: { from: 12, to: 29 },
      timing: { stepMs: 2.113 },
      isolation: 'container',
      resetBy: 'overlay-memory',
      episodeId: 'env-2-1',
      step: 1,
      terminalId: 'term-2',
    },
  },
})
